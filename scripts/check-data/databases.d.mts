import type { Database } from '../../src/kernel/database.ts';

export interface OpenDatabases {
  directory: Database;
  cells: Map<number, Database>;
  bindings: Map<string, Database>;
  close(): Promise<void>;
}
export function openDatabases(options?: {
  isRemote?: boolean;
  isWritten?: boolean;
  persistTo?: string;
}): Promise<OpenDatabases>;
