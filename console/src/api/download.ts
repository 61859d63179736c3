import { errorOf } from './api-error.js';
import { sessionKey } from './session.js';

/** Saves a list of the API as a CSV file. @throws ApiError */
export async function saveCsv(path: string, name: string): Promise<void> {
  const headers = { Accept: 'text/csv', Authorization: `Bearer ${sessionKey()}` };
  const response = await fetch(`/api/v1${path}`, { headers });
  if (!response.ok) throw errorOf(response, await response.json().catch(() => null));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
