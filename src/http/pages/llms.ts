import type { OpenAPIObject } from '@nestjs/swagger';

interface Told {
  summary: string;
  'x-extension'?: boolean;
}

/** Text for language models (llmstxt.org): purpose, documents, first calls, and one line for every operation. */
export function llmsText({ info, servers = [], paths }: OpenAPIObject): string {
  const root = servers[0]?.url ?? '';
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Told>).map(
      ([method, told]) =>
        `- ${method.toUpperCase()} ${path}: ${told.summary}${told['x-extension'] ? ' (extension)' : ''}`,
    ),
  );
  const [what = ''] = (info.description ?? '').split('\n\n');
  return `# ${info.title}

> ${what} Partners' end-users deposit stablecoins, which are routed between yield vaults; partners read what came of it, and are sent signed webhooks.

API root: ${root}. JSON over HTTP, \`Authorization: Bearer <API_KEY>\`. A success is \`{object, data}\`, a list adds \`meta: {has_more, next_cursor?}\`, a failure is \`{error: {code, message, request_id}}\`.

## Documents

- [OpenAPI](/openapi.json): every operation, field, error and event, with examples
- [Reference for people](/docs): the same in a browser
- [State of this deployment](/status)

## First calls

    curl -H "Authorization: Bearer $KEY" "$ORIGIN/api/v1/vaults"
    curl -H "Authorization: Bearer $KEY" "$ORIGIN/api/v1/partner/summary"
    curl -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{"external_id": "user:1"}' "$ORIGIN/api/v1/users"
    curl -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{"url": "https://hooks.example.com/vaultline"}' "$ORIGIN/api/v1/webhooks/check"

Send an \`Idempotency-Key\` with every POST but \`/positions/preview\`, which stores nothing: a retry with the same key is answered with the first answer. On 429 and 503 wait for \`Retry-After\` seconds.

## Operations

${operations.join('\n')}
`;
}
