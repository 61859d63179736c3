import { DefaultNamingStrategy } from 'typeorm';

/** Naming of columns: `createdAt` in the code, `created_at` in the database. */
export class SnakeNamingStrategy extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string): string {
    return customName || propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}
