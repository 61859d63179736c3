import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type Contract, CONTRACTS } from '../../src/config/environment.js';
import { PublishedDocument } from '../support/published-document.js';
import { ENDS } from '../support/child-environment.js';

const published = (contract: Contract): any => new PublishedDocument(contract).content;

it('docs/openapi, docs/postman and the SDK have up-to-date files', () => {
  const check = () =>
    execFileSync(process.execPath, ['scripts/openapi.mjs', '--check'], { stdio: 'pipe', ...ENDS });
  expect(check).not.toThrow();
});

describe.each(CONTRACTS)('the Postman collection of the %s contract', (contract) => {
  const collection = JSON.parse(readFileSync(`docs/postman/${contract}.json`, 'utf8'));
  const document = published(contract);

  it('has every operation once, with the document’s example body', () => {
    const operations = Object.entries<any>(document.paths).flatMap(([path, item]) =>
      Object.entries<any>(item).map(([method, { requestBody }]) => {
        const example = requestBody?.content['application/json'].example;
        return [`${method.toUpperCase()} {{baseUrl}}${path.replace(/\{(\w+)\}/g, ':$1')}`, example];
      }),
    );
    const requests = collection.item
      .flatMap(({ item }: any) => item)
      .map(({ request }: any) => [
        `${request.method} ${request.url.raw}`,
        request.body && JSON.parse(request.body.raw),
      ]);
    const byName = (all: any[]) => all.sort(([a], [b]) => (a < b ? -1 : 1));
    expect(byName(requests)).toEqual(byName(operations));
  });
});

it('names shared schemas as each contract document does', () => {
  const names = (contract: Contract): string[] => Object.keys(published(contract).components.schemas);
  const records = [
    'ApiKey',
    'RevokedApiKey',
    'Partner',
    'PartnerCreated',
    'Campaign',
    'UserRecord',
    'ListMeta',
    ...['PartnerSummary', 'AttributedUser', 'PartnerDeposits', 'PartnerWithdrawals', 'PartnerTvl'],
    ...['PartnerYield', 'PartnerPoints', 'RevenueShareOutputDto', 'PartnerPosition'],
    ...['YieldHistory', 'Decision'],
  ];
  const inputs = [
    ...['CreateKeyInputDto', 'CreatePartnerInputDto', 'UpdatePartnerInputDto'],
    ...['CreateCampaignInputDto', 'UpdateCampaignInputDto', 'CreateUserInputDto'],
  ];
  const live = [
    ...['WebhookEndpoint', 'WebhookDelivery', 'WebhookEventTypes', 'DeletedResource'],
    ...['CreateWebhookInputDto', 'UpdateWebhookInputDto'],
    ...['SignalDto', 'RegimeDto', 'UpliftDto'],
  ];
  const simulated = [
    ...['Webhook', 'Delivery', 'DeletedWebhook', 'CreateWebhookRequest'],
    ...['Signal', 'Regime', 'UpliftReport', 'Advisor'],
  ];
  expect(names('partner')).toEqual(expect.arrayContaining([...records, ...inputs, ...live]));
  expect(names('sandbox')).toEqual(expect.arrayContaining([...records, ...inputs, ...simulated]));
  expect(names('sandbox').filter((name) => live.includes(name))).toEqual([]);
  expect(names('partner').filter((name) => simulated.includes(name))).toEqual([]);
});

it("each OpenAPI document has its deployment's assets and environment", () => {
  const fields = (contract: Contract, name: string): any =>
    published(contract).components.schemas[name].properties;
  expect(fields('partner', 'Campaign').asset.enum).toEqual(['USDC', 'USDT0', null]);
  expect(fields('sandbox', 'Campaign').asset.enum).toEqual(['USDC', 'USDT', null]);
  expect(fields('sandbox', 'CreateCampaignInputDto').asset.enum).toEqual(['USDC', 'USDT', null]);
  expect(fields('partner', 'ApiKey').environment.enum).toEqual(['live']);
  expect(fields('sandbox', 'ApiKey').environment.enum).toEqual(['sandbox']);
  expect(JSON.stringify(published('sandbox'))).not.toContain('vl_live_');
  expect(published('partner').components.securitySchemes.bearer.bearerFormat).toBe('vl_live_...');
  expect(published('sandbox').components.securitySchemes.bearer.bearerFormat).toBe('vl_sandbox_...');
});

it.each(CONTRACTS)(
  "the %s contract's documents name only vaults of its catalogue, and their protocols",
  (contract) => {
    const catalogue = readFileSync(`config/${contract}.yaml`, 'utf8');
    const idle = published(contract).components.schemas.Campaign.properties.asset.enum.map(
      (asset: string | null) => `vlt_idle_${asset?.toLowerCase()}`,
    );
    const [document, collection] = ['openapi', 'postman'].map((kind) =>
      readFileSync(`docs/${kind}/${contract}.json`, 'utf8'),
    );
    const named = new Set(`${document}${collection}`.match(/\bvlt_[a-z0-9_]+\b/g));
    expect(named.size).toBeGreaterThan(2);
    expect([...named].filter((id) => !idle.includes(id) && !catalogue.includes(` ${id}\n`))).toEqual([]);
    const [{ name, venue }] = published(contract).components.schemas.Vault.examples;
    for (const shown of [name, venue]) expect(catalogue).toContain(`: ${shown}\n`);
  },
);
