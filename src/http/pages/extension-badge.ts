/**
 * Script of the page, with a plugin of Swagger UI. It marks an extension by a badge beside the path of an operation and the name of a parameter or a
 * field: Swagger UI itself shows `x-extension` only in a list of all vendor keywords. A text, because the bundler would put helpers into a function.
 */
export const BADGE_SCRIPT = `const ExtensionBadge = (system) => {
  const element = system.React.createElement;
  const badge = () => element('span', { className: 'extension-badge' }, 'extension');
  const withBadge = (isExtension) => (Original) => (props) =>
    element(system.React.Fragment, null, element(Original, props), isExtension(props) ? badge() : null);
  // A folded operation is not resolved: the document itself has its mark.
  const isMarked = (path, method) =>
    system.getSystem().specSelectors.specJson().getIn(['paths', path, method, 'x-extension']) === true;
  return {
    wrapComponents: {
      OperationSummaryPath: withBadge(({ operationProps }) => isMarked(operationProps.get('path'), operationProps.get('method'))),
      JSONSchema202012KeywordTitle: withBadge(({ schema }) => schema['x-extension'] === true),
      ParameterExt: () => ({ xKey }) => (xKey === 'x-extension' ? badge() : null),
      OperationExt: () => () => null,
      JSONSchema202012ExtensionKeywords: () => () => null,
    },
  };
};
`;

export const BADGE_STYLE = `
  .swagger-ui .topbar .link { display: none }
  .extension-badge {
    display: inline-block; margin: 0 .5em; padding: 0 .5em; border: 1px solid #8c5a00; border-radius: 1em;
    background: #fff6e5; color: #6b4400; font: 600 11px/1.6 sans-serif; white-space: nowrap;
  }`;
