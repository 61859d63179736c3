import { signal } from '@preact/signals';

/** A request of the present screen, as shown by `as curl`. */
export interface MadeRequest {
  method: string;
  /** The path from the API root on, with its query. */
  path: string;
  body: string | null;
}

const KEPT = 12;

/** Recent requests of the present screen, each once. */
export const madeRequests = signal<readonly MadeRequest[]>([]);

export function noteRequest(request: MadeRequest): void {
  const others = madeRequests.value.filter(
    (earlier) => earlier.method !== request.method || earlier.path !== request.path,
  );
  madeRequests.value = [...others, request].slice(-KEPT);
}

export const forgetRequests = (): void => {
  madeRequests.value = [];
};

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The request as a curl command, without the key, for which it has a variable. */
export function curlOf({ method, path, body }: MadeRequest): string {
  const lines = [
    `curl ${quoted(`${location.origin}/api/v1${path}`)}`,
    '--header "Authorization: Bearer $VAULTLINE_KEY"',
  ];
  if (method !== 'GET') lines.push(`--request ${method}`);
  if (body !== null) lines.push("--header 'Content-Type: application/json'", `--data ${quoted(body)}`);
  return lines.join(' \\\n  ');
}
