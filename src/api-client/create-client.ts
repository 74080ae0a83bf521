import { callOperation, type OperationInput, type OperationRow } from './call-operation.ts';
import { iterateEvents, iteratePages } from './iterate.ts';
import type { CallOptions, ClientOptions } from './types.ts';
import { type UploadInput, type UploadOptions, uploadFile } from './upload-file.ts';

export type OperationTable = Readonly<Record<string, OperationRow>>;
type ClientMethod = (input?: OperationInput, options?: CallOptions) => Promise<unknown>;

/** Returns an object with one method per operation, as declared in `/client.d.ts`. */
export function createClientFromTable(table: OperationTable, client: ClientOptions): object {
  const methods: Record<string, ClientMethod> = {};
  for (const [name, row] of Object.entries(table)) {
    const call = (input?: OperationInput, options?: CallOptions) =>
      callOperation(client, row, input, options);
    const method: ClientMethod = async (input, options) => (await call(input, options)).value;
    const all = (input?: OperationInput, options?: CallOptions) =>
      iteratePages((page) => call(page, options), input);
    methods[name] = row[3] === 'pages' ? Object.assign(method, { all }) : method;
  }
  const callByName = (name: string, input: OperationInput, options?: CallOptions) =>
    (methods[name] as ClientMethod)(input, options) as Promise<OperationInput>;
  return {
    ...methods,
    followEvents: (input?: OperationInput, options?: CallOptions) =>
      iterateEvents(methods.listEvents as ClientMethod, input, options),
    uploadFile: (input: UploadInput, options?: UploadOptions) =>
      uploadFile(client, callByName, input, options),
  };
}
