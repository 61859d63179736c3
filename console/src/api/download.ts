import { errorOf } from './api-error.js';
import { sessionKey } from './session.js';

/** Saves a list of the API as a CSV file, under the name that the answer has for it. @throws ApiError */
export async function saveCsv(path: string, name: string): Promise<void> {
  const { file, given } = await fileOf(path, 'text/csv');
  saveFile(file, given ?? name);
}

/** Saves a ZIP of the API, likewise. @throws ApiError */
export async function saveZip(path: string, name: string): Promise<void> {
  const { file, given } = await fileOf(path, 'application/zip');
  save(file, given ?? name);
}

/** @returns with the name that the answer has for it */
async function fileOf(path: string, type: string): Promise<{ file: Blob; given: string | undefined }> {
  const headers = { Accept: type, Authorization: `Bearer ${sessionKey()}` };
  const response = await fetch(`/api/v1${path}`, { headers });
  if (!response.ok) throw errorOf(response, await response.json().catch(() => null));
  const [, given] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  return { file: await response.blob(), given };
}

/** By the byte order mark a spreadsheet reads the text as UTF-8. */
export const saveFile = (text: Blob | string, name: string): void =>
  save(new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' }), name);

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The path of a list with its filters. */
export function listPath(path: string, filters: Record<string, string | undefined>): string {
  const given = Object.entries(filters).filter((entry): entry is [string, string] => !!entry[1]);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
