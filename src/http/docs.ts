import type { INestApplication } from '@nestjs/common';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import helmet from 'helmet';
import type { Settings } from '../config/settings.js';
import type { ContractDefinition } from './contract.js';
import { createDocument } from './openapi/document.js';

/** Serves the contract's document as `/openapi.json`, and as pages under `/docs`. Both are made from the routes, when first asked for. */
export function mountDocs(app: INestApplication, settings: Settings, contract: ContractDefinition): void {
  const { environment, constants, publicUrl, apiRoot } = settings;
  const deployment = { environment, assets: constants.assets };
  // Relative: whatever host and scheme the page was read from, its requests go back there.
  const serverUrl = `${publicUrl ?? ''}/${apiRoot}`;
  let document: OpenAPIObject | undefined;
  app.use('/docs', helmet({ contentSecurityPolicy: DOCS_POLICY, strictTransportSecurity: false }));
  SwaggerModule.setup(
    'docs',
    app,
    () => (document ??= createDocument(app, contract, deployment, serverUrl)),
    {
      jsonDocumentUrl: 'openapi.json',
      raw: ['json'],
      customSiteTitle: contract.introduction.title,
      customCss: '.swagger-ui .topbar { display: none }',
    },
  );
}

/** Swagger UI styles itself inline; all else comes from here, so that the pages work without the internet. */
const DOCS_POLICY = {
  directives: {
    'default-src': ["'self'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:'],
    'upgrade-insecure-requests': null,
  },
};
