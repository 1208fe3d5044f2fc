{{/* What a value by itself does not show. Each message names the value and what to do. */}}
{{- define "tributary.checks" -}}
{{- $auth := default dict .Values.config.auth -}}
{{- $type := default "DISABLED" $auth.type -}}
{{- $secrets := list -}}
{{- range .Values.secretEnvironment -}}{{- $secrets = append $secrets .name -}}{{- end -}}
{{- if not .Values.postgres.existingSecret -}}
{{- fail "postgres.existingSecret: name the secret that holds the URL of PostgreSQL (key url)" -}}
{{- end -}}
{{- if and (eq $type "DISABLED") (ne (toString (index $auth "allow-open-access")) "true") -}}
{{- fail "config.auth.type: say how people sign in (OAUTH2, LDAP or LOGIN_FORM), or acknowledge that everybody who reaches the API may do everything by config.auth.allow-open-access: true" -}}
{{- end -}}
{{- if and (eq $type "LOGIN_FORM") (not (has "AUTH_LOGIN_FORM_CREDENTIALS" $secrets)) -}}
{{- fail "secretEnvironment: LOGIN_FORM needs AUTH_LOGIN_FORM_CREDENTIALS from a secret: name:hash, by commas (npm run password)" -}}
{{- end -}}
{{- if and (eq $type "OAUTH2") (empty (dig "oauth2" "client" dict $auth)) -}}
{{- fail "config.auth.oauth2.client: OAUTH2 needs at least one client, with its client-id and issuer-uri" -}}
{{- end -}}
{{- if and (eq $type "OAUTH2") (not .Values.ingress.enabled) (not (dig "catalog" "platform-base-url" "" .Values.config)) -}}
{{- fail "config.catalog.platform-base-url: OAUTH2 needs the address that people use; or set ingress.enabled and ingress.host" -}}
{{- end -}}
{{- if and (eq $type "LDAP") (empty (dig "ldap" "url" "" $auth)) -}}
{{- fail "config.auth.ldap.url: LDAP needs the address of the directory" -}}
{{- end -}}
{{- if gt (include "tributary.apiReplicas" . | int) 1 -}}
{{- if not .Values.redis.existingSecret -}}
{{- fail "redis.existingSecret: several replicas of api share sessions, sign-ins and counts of wrong passwords in Redis: name the secret that holds its URL (key url), or keep services.api.replicas at 1" -}}
{{- end -}}
{{- if and (include "tributary.filesAreLocal" .) (not .Values.attachments.persistence.existingClaim) (ne .Values.attachments.persistence.accessMode "ReadWriteMany") -}}
{{- fail "attachments.persistence.accessMode: several replicas of api share the files of people: set ReadWriteMany, or config.attachment.storage: REMOTE" -}}
{{- end -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) -}}
{{- fail "ingress.host: name the host by which people reach the catalogue" -}}
{{- end -}}
{{- if and .Values.ingress.enabled (ne .Values.ingress.path "/") (not .Values.ingress.nginx) -}}
{{- fail "ingress.path: only ingress-nginx (ingress.nginx) strips a path by annotations of this chart; configure your ingress yourself, with config.catalog.platform-base-url" -}}
{{- end -}}
{{- range .Values.mounts -}}
{{- if eq (empty .existingSecret) (empty .configMap) -}}
{{- fail (printf "mounts: %s needs either existingSecret or configMap" .name) -}}
{{- end -}}
{{- end -}}
{{- range $name, $service := .Values.services -}}
{{- if and $service.autoscaling.enabled (gt ($service.autoscaling.minReplicas | int) ($service.autoscaling.maxReplicas | int)) -}}
{{- fail (printf "services.%s.autoscaling: minReplicas is more than maxReplicas" $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
