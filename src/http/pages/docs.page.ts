/** HTML page that shows OpenAPI documents. `base` is the relative path of its files. */
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
      .swagger-ui .topbar .link { display: none }
      .extension-badge {
        display: inline-block; margin: 0 .5em; padding: 0 .5em; border: 1px solid #8c5a00; border-radius: 1em;
        background: #fff6e5; color: #6b4400; font: 600 11px/1.6 sans-serif; white-space: nowrap;
      }
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

/** Document that the page offers. */
export interface OfferedDocument {
  /** Its name in the choice. */
  name: string;
  /** Relative to the folder of the page's files. */
  url: string;
}

/**
 * Script of the page. It opens the first document, and marks extensions by a badge beside the path of an operation and the name of a parameter or a
 * field: Swagger UI itself shows no `x-extension` but in a list of all vendor keywords.
 */
export const docsScript = (
  documents: readonly OfferedDocument[],
): string => `const files = document.currentScript.src;

const ExtensionBadge = (system) => {
  const element = system.React.createElement;
  const badge = () => element('span', { className: 'extension-badge' }, 'extension');
  const beside = (isMarked) => (Original) => (props) =>
    element(system.React.Fragment, null, element(Original, props), isMarked(props) ? badge() : null);
  // A folded operation is not resolved: the document itself has its mark.
  const isExtension = (path, method) =>
    system.getSystem().specSelectors.specJson().getIn(['paths', path, method, 'x-extension']) === true;
  return {
    wrapComponents: {
      OperationSummaryPath: beside(({ operationProps }) => isExtension(operationProps.get('path'), operationProps.get('method'))),
      JSONSchema202012KeywordTitle: beside(({ schema }) => schema['x-extension'] === true),
      ParameterExt: () => ({ xKey }) => (xKey === 'x-extension' ? badge() : null),
      OperationExt: () => () => null,
      JSONSchema202012ExtensionKeywords: () => () => null,
    },
  };
};

window.onload = () => {
  window.ui = SwaggerUIBundle({
    urls: ${JSON.stringify(documents)}.map(({ name, url }) => ({ name, url: new URL(url, files).href })),
    'urls.primaryName': ${JSON.stringify(documents[0]?.name)},
    dom_id: '#swagger-ui',
    deepLinking: true,
    showExtensions: true,
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    plugins: [SwaggerUIBundle.plugins.DownloadUrl, ExtensionBadge],
    layout: 'StandaloneLayout',
  });
};
`;

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
