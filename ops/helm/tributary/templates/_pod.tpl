{{- define "tributary.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "tributary.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* Where the container reads and writes. Arguments: root, service. */}}
{{- define "tributary.volumeMounts" -}}
- name: tmp
  mountPath: /tmp
- name: data
  mountPath: /app/data
{{- if and (eq .service "api") (include "tributary.filesAreLocal" .root) }}
- name: attachments
  mountPath: /app/data/attachments
{{- end }}
- name: configuration
  mountPath: /etc/tributary/tributary.yaml
  subPath: tributary.yaml
  readOnly: true
{{- range .root.Values.mounts }}
- name: mount-{{ .name | replace "." "-" }}
  mountPath: /etc/tributary/{{ .name }}
  readOnly: true
{{- end }}
{{- end -}}

{{/* Arguments: root, service, configMap. */}}
{{- define "tributary.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 256Mi
- name: data
  emptyDir:
    sizeLimit: 256Mi
{{- if and (eq .service "api") (include "tributary.filesAreLocal" .root) }}
- name: attachments
{{- with .root.Values.attachments.persistence }}
{{- if .enabled }}
  persistentVolumeClaim:
    claimName: {{ default (printf "%s-attachments" (include "tributary.fullname" $.root)) .existingClaim }}
{{- else }}
  emptyDir: {}
{{- end }}
{{- end }}
{{- end }}
- name: configuration
  configMap:
    name: {{ .configMap }}
{{- range .root.Values.mounts }}
- name: mount-{{ .name | replace "." "-" }}
{{- if .existingSecret }}
  secret:
    secretName: {{ .existingSecret }}
    defaultMode: 0440
{{- else }}
  configMap:
    name: {{ .configMap }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Where pods may run. Arguments: root, service. */}}
{{- define "tributary.scheduling" -}}
{{- $root := .root -}}
{{- $service := .service -}}
{{- with $root.Values -}}
{{- if and .topologySpread.enabled (ne $service "migrate") }}
topologySpreadConstraints:
{{- range .topologySpread.topologyKeys }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: {{ $root.Values.topologySpread.whenUnsatisfiable }}
    labelSelector:
      matchLabels:
        {{- include "tributary.selector" $root | nindent 8 }}
        app.kubernetes.io/component: {{ $service }}
    matchLabelKeys: [pod-template-hash]
{{- end }}
{{- end }}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}
{{- end -}}
