/** Data of a version from before the first release, from which there is no upgrade. */
export class SupersededSchemaError extends Error {
  constructor(schema: string) {
    super(
      `The schema ${schema} was made by a version from before the first release, whose data no later one reads; nothing in it was changed. Start with an empty database or data folder (\`npm start\` keeps its own in .data), or go on with the version that made it.`,
    );
  }
}
