export interface DatabaseOfDeployment {
  binding: string;
  name: string;
  /** The folder of its migrations, from the root of the project. */
  migrations: string;
  id: string;
}
export const root: string;
export function readDatabases(): DatabaseOfDeployment[];
export function databaseFile(folder: string, id: string): string;
export function migrationsFingerprint(): string;
