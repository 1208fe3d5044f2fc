{{/* A variable from a secret. Arguments: name, secret, key. */}}
{{- define "tributary.fromSecret" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
{{- end -}}

{{/* Names by which other pods reach the API and the receivers of spans. */}}
{{- define "tributary.hosts" -}}
{{- $fullname := include "tributary.fullname" . -}}
{{- $hosts := list -}}
{{- range $service := list "api" "trace-gateway" -}}
{{- $name := printf "%s-%s" $fullname $service -}}
{{- $hosts = concat $hosts (list $name (printf "%s.%s" $name $.Release.Namespace) (printf "%s.%s.svc" $name $.Release.Namespace) (printf "%s.%s.svc.cluster.local" $name $.Release.Namespace)) -}}
{{- end -}}
{{- with dig "server" "hosts" "" .Values.config -}}{{- $hosts = append $hosts . -}}{{- end -}}
{{- join "," $hosts -}}
{{- end -}}

{{/* Variables of every container. Arguments: root, service. */}}
{{- define "tributary.environment" -}}
{{- $root := .root -}}
{{- $values := .root.Values -}}
- name: SERVER_HOST
  value: 0.0.0.0
- name: SERVER_PORT
  value: "8080"
- name: SERVER_HOSTS
  value: {{ include "tributary.hosts" $root | quote }}
- name: TRACES_HTTP_HOST
  value: 0.0.0.0
- name: TRACES_GRPC_HOST
  value: 0.0.0.0
- name: TRACES_SELF_URL
  value: http://{{ include "tributary.fullname" $root }}-trace-gateway:4318
- name: TRIBUTARY_CONFIG
  value: /etc/tributary/tributary.yaml
- name: LOG_FORMAT
  value: json
{{- if and $values.ingress.enabled (not (dig "catalog" "platform-base-url" "" $values.config)) }}
- name: CATALOG_PLATFORM_BASE_URL
  value: {{ ternary "https" "http" (not (empty $values.ingress.tlsSecret)) }}://{{ $values.ingress.host }}{{ include "tributary.path" $root }}
{{- end }}
{{ include "tributary.fromSecret" (dict "name" "METADATA_POSTGRES_URL" "secret" $values.postgres.existingSecret "key" $values.postgres.urlKey) }}
{{- with $values.kafka }}
{{- if .brokers }}
- name: EVENT_LOG_KAFKA_BROKERS
  value: {{ .brokers | quote }}
{{- end }}
{{- if .existingSecret }}
{{ include "tributary.fromSecret" (dict "name" "EVENT_LOG_KAFKA_SASL_PASSWORD" "secret" .existingSecret "key" .passwordKey) }}
{{- end }}
{{- end }}
{{- with $values.neo4j }}
{{- if .url }}
- name: GRAPH_NEO4J_URL
  value: {{ .url | quote }}
{{- end }}
{{- if .existingSecret }}
{{ include "tributary.fromSecret" (dict "name" "GRAPH_NEO4J_PASSWORD" "secret" .existingSecret "key" .passwordKey) }}
{{- end }}
{{- end }}
{{- with $values.redis }}
{{- if .existingSecret }}
{{ include "tributary.fromSecret" (dict "name" "CACHE_REDIS_URL" "secret" .existingSecret "key" .urlKey) }}
{{- end }}
{{- end }}
{{- range $values.secretEnvironment }}
{{- if or (not (hasPrefix "SOURCE_SECRET_" .name)) (eq $.service "collector") }}
{{ include "tributary.fromSecret" (dict "name" .name "secret" .existingSecret "key" .key) }}
{{- end }}
{{- end }}
{{- range $name, $value := $values.environment }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}
