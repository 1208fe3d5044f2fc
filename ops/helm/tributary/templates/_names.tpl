{{- define "tributary.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "tributary.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains (include "tributary.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "tributary.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "tributary.selector" -}}
app.kubernetes.io/name: {{ include "tributary.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "tributary.labels" -}}
{{ include "tributary.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: tributary
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "tributary.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "tributary.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "tributary.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ default $.Chart.AppVersion .tag }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The services that run, as a JSON list of names. */}}
{{- define "tributary.running" -}}
{{- $names := list -}}
{{- range $name, $service := .Values.services -}}
{{- if or (eq $name "api") $service.enabled -}}
{{- $names = append $names $name -}}
{{- end -}}
{{- end -}}
{{- $names | toJson -}}
{{- end -}}

{{/* Whether files of people are stored in a directory. */}}
{{- define "tributary.filesAreLocal" -}}
{{- if ne (dig "attachment" "storage" "LOCAL" .Values.config) "REMOTE" -}}true{{- end -}}
{{- end -}}

{{/* The most replicas that api may have. */}}
{{- define "tributary.apiReplicas" -}}
{{- with .Values.services.api -}}
{{- if .autoscaling.enabled -}}{{ .autoscaling.maxReplicas }}{{- else -}}{{ .replicas }}{{- end -}}
{{- end -}}
{{- end -}}

{{/* The path below which people reach the catalogue, without a slash at its end. */}}
{{- define "tributary.path" -}}
{{- trimSuffix "/" .Values.ingress.path -}}
{{- end -}}

{{/* A MiB count of a quantity such as 1536Mi or 2Gi. */}}
{{- define "tributary.mebibytes" -}}
{{- if hasSuffix "Gi" . -}}{{ mul (trimSuffix "Gi" . | int) 1024 }}{{- else -}}{{ trimSuffix "Mi" . | int }}{{- end -}}
{{- end -}}
