import type { Api } from './api.js';

/** A partner that was created through the API, and a caller with its key. */
export interface TestPartner {
  id: string;
  key: string;
  keyId: string;
  api: Api;
}

let count = 0;

export async function createPartner(admin: Api, name = `Partner ${++count}`): Promise<TestPartner> {
  const { status, text, body } = await admin.post('/partners', { name });
  if (status !== 201) throw new Error(`POST /partners answered ${status}: ${text}`);
  const { partner, api_key } = body.data;
  return { id: partner.id, key: api_key.secret, keyId: api_key.id, api: admin.as(api_key.secret) };
}

/** Another key of the same partner, with a caller. */
export async function anotherKey(
  admin: Api,
  { id }: Pick<TestPartner, 'id'>,
): Promise<{ api: Api; id: string }> {
  const input = { label: 'another', scopes: ['partner:read'], partner_id: id };
  const { status, text, body } = await admin.post('/keys', input);
  if (status !== 201) throw new Error(`POST /keys answered ${status}: ${text}`);
  return { api: admin.as(body.data.secret), id: body.data.id };
}
