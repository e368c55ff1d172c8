{{- define "tempera.name" -}}
{{- printf "%s" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end }}

{{- define "tempera.host" -}}
{{- (urlParse .Values.publicUrl).host -}}
{{- end }}

{{/* What selects; never changed, since a Deployment's selector cannot be. Takes a dict of root and component. */}}
{{- define "tempera.selector" -}}
app.kubernetes.io/name: tempera-team
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{- define "tempera.labels" -}}
{{ include "tempera.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{/* Takes a dict of root and image. */}}
{{- define "tempera.image" -}}
{{- $repository := .image.repository -}}
{{- with .root.Values.images.registry }}{{ $repository = printf "%s/%s" (trimSuffix "/" .) $repository }}{{ end -}}
{{- if .image.digest -}}
{{ $repository }}@{{ .image.digest }}
{{- else -}}
{{ $repository }}:{{ .image.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- define "tempera.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
# Secrets are mounted as root's and this group's; without it the programs could not read their keys.
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "tempera.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* One connection URL from the Secret. Takes a dict of root, name and login. */}}
{{- define "tempera.databaseUrl" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .root.Values.database.existingSecret | quote }}
      key: {{ index .root.Values.database.keys .login | quote }}
{{- end }}

{{- define "tempera.databaseCaMount" -}}
{{- if .Values.database.ca.existingConfigMap }}
- { name: postgres-ca, mountPath: /run/tempera/postgres, readOnly: true }
{{- end }}
{{- end }}

{{- define "tempera.databaseCaVolume" -}}
{{- if .Values.database.ca.existingConfigMap }}
- name: postgres-ca
  configMap: { name: {{ .Values.database.ca.existingConfigMap | quote }} }
{{- end }}
{{- end }}

{{/* Replicas apart from each other where that is possible. Takes a dict of root and component. */}}
{{- define "tempera.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "tempera.selector" . | nindent 8 }}
{{- end }}

{{/* Where pods may run. Takes the component's values. */}}
{{- define "tempera.placement" -}}
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
{{- end }}

{{/* How a program is watched (docs/observability.md). */}}
{{- define "tempera.telemetry" -}}
{{- with .Values.telemetry.metricsPort }}
- { name: METRICS_HOST, value: '0.0.0.0' }
- { name: METRICS_PORT, value: {{ . | toString | quote }} }
{{- end }}
{{- with .Values.telemetry.traceEndpoint }}
- { name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ . | quote }} }
{{- end }}
{{- end }}
