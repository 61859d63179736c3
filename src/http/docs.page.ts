import type { OpenAPIObject } from '@nestjs/swagger';

/** The page that shows a document in a browser. `base` is where its files are, from where the page is. */
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

/** The script of the page; the document stands in it, so that the page asks nobody for one. */
export const docsScript = (document: OpenAPIObject): string => `window.onload = function () {
  window.ui = SwaggerUIBundle({
    spec: ${JSON.stringify(document)},
    dom_id: '#swagger-ui',
    deepLinking: true,
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    plugins: [SwaggerUIBundle.plugins.DownloadUrl],
    layout: 'StandaloneLayout',
  });
};
`;

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
