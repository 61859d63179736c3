import type { OpenAPIObject } from '@nestjs/swagger';

/** HTML page that shows an OpenAPI document. `base` is the relative path of its files. */
export const docsPage = (title: string, base: string): string => `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="UTF-8">
    <title>${escaped(title)}</title>
    <link rel="stylesheet" type="text/css" href="${base}swagger-ui.css">
    <link rel="icon" type="image/png" href="${base}favicon-32x32.png" sizes="32x32">
    <link rel="icon" type="image/png" href="${base}favicon-16x16.png" sizes="16x16">
    <style>
      html { box-sizing: border-box; overflow-y: scroll; }
      *, *:before, *:after { box-sizing: inherit; }
      body { margin: 0; background: #fafafa; }
      .swagger-ui .topbar { display: none }
    </style>
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${base}swagger-ui-bundle.js"></script>
    <script src="${base}swagger-ui-standalone-preset.js"></script>
    <script src="${base}swagger-ui-init.js"></script>
  </body>
</html>
`;

/** Script of the page. It embeds the document, so that the page needs no further request. */
export const docsScript = (document: OpenAPIObject): string => `window.onload = function () {
  window.ui = SwaggerUIBundle({
    spec: ${JSON.stringify(marked(document))},
    dom_id: '#swagger-ui',
    deepLinking: true,
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    plugins: [SwaggerUIBundle.plugins.DownloadUrl],
    layout: 'StandaloneLayout',
  });
};
`;

/** Document with extensions marked in their summaries, because Swagger UI does not show `x-extension`. */
function marked(document: OpenAPIObject): OpenAPIObject {
  const copy = structuredClone(document);
  for (const item of Object.values(copy.paths))
    for (const operation of Object.values(item as Record<string, MarkedOperation>))
      if (operation['x-extension']) operation.summary = `${operation.summary} [extension]`;
  return copy;
}

interface MarkedOperation {
  summary: string;
  'x-extension'?: boolean;
}

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
