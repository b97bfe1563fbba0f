{{- define "skilldock.selector" -}}
app.kubernetes.io/name: skilldock
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "skilldock.labels" -}}
{{ include "skilldock.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}
