{{- /* Parts of the manifests. Each takes a dict: root, contract (its name; empty for the executor), of (its values), role where it has one. */ -}}

{{- define "vaultline.name" -}}
{{- $base := .root.Release.Name -}}
{{- if not (contains "vaultline" $base) -}}{{- $base = printf "%s-vaultline" $base -}}{{- end -}}
{{- compact (list ($base | trunc 40 | trimSuffix "-") .contract .role) | join "-" -}}
{{- end -}}

{{- define "vaultline.selector" -}}
app.kubernetes.io/name: vaultline
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
{{- with .contract }}
vaultline/contract: {{ . }}
{{- end }}
app.kubernetes.io/component: {{ .role }}
{{- end -}}

{{- define "vaultline.labels" -}}
{{ include "vaultline.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "vaultline.image" -}}
{{ printf "%s:%s" .root.Values.image.repository (.root.Values.image.tag | default .root.Chart.AppVersion) | quote }}
{{- end -}}

{{- /* Security context of every pod: no root, no privilege escalation, no access to the cluster's API. */ -}}
{{- define "vaultline.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  {{- if eq .role "executor" }}
  # The journal's volume and the files of Secrets belong to root and this group.
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  {{- end }}
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . | quote }}
{{- end }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector: {{ toJson . }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{ toJson . }}
{{- end }}
{{- end -}}

{{- define "vaultline.confined" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{- define "vaultline.fromSecret" -}}
- name: {{ .name }}
  valueFrom: { secretKeyRef: { name: {{ .secret | quote }}, key: {{ .name }}, optional: {{ .optional }} } }
{{- end -}}

{{- /* The contract's file of config/ from a ConfigMap of the cluster: once as a mount, once as its volume. */ -}}
{{- define "vaultline.configMount" -}}
{{- if .of.configMap }}
volumeMounts:
  - { name: config, mountPath: /app/config/{{ .contract }}.yaml, subPath: {{ .contract }}.yaml, readOnly: true }
{{- end }}
{{- end -}}

{{- define "vaultline.configVolume" -}}
{{- if .of.configMap }}
volumes:
  - { name: config, configMap: { name: {{ .of.configMap | quote }} } }
{{- end }}
{{- end -}}

{{- /* Settings of the contract for every role. Secrets are referenced by name, not contained. */ -}}
{{- define "vaultline.settings" -}}
{{- $secret := .of.secret -}}
- { name: CONTRACT, value: {{ .contract }} }
- { name: LOG_LEVEL, value: {{ .root.Values.logLevel | quote }} }
- { name: TRUSTED_PROXIES, value: {{ .root.Values.trustedProxies | quote }} }
{{ include "vaultline.fromSecret" (dict "name" "DATABASE_URL" "secret" $secret "optional" false) }}
{{ include "vaultline.fromSecret" (dict "name" "SECRETS_KEY" "secret" $secret "optional" false) }}
{{ include "vaultline.fromSecret" (dict "name" "SECRETS_KEY_PREVIOUS" "secret" $secret "optional" true) }}
{{ include "vaultline.fromSecret" (dict "name" "DATABASE_DIRECT_URL" "secret" $secret "optional" true) }}
{{- range $name, $value := .of.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end -}}
