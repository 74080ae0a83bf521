import { callOperation, type Input, type OperationRow } from './call-operation.ts';
import { iterateEvents, iteratePages } from './iterate.ts';
import type { CallOptions, ClientOptions } from './types.ts';
import { type UploadInput, type UploadOptions, uploadFile } from './upload-file.ts';

export type OperationTable = Readonly<Record<string, OperationRow>>;
type Method = (input?: Input, options?: CallOptions) => Promise<unknown>;

/** Has one method per operation. `/client.d.ts` declares their types. */
export function createClientFor(table: OperationTable, client: ClientOptions): object {
  const methods: Record<string, Method> = {};
  for (const [name, row] of Object.entries(table)) {
    const call = (input?: Input, options?: CallOptions) => callOperation(client, row, input, options);
    const method: Method = async (input, options) => (await call(input, options)).value;
    const all = (input?: Input, options?: CallOptions) => iteratePages((page) => call(page, options), input);
    methods[name] = row[3] === 'pages' ? Object.assign(method, { all }) : method;
  }
  const callByName = (name: string, input: Input, options?: CallOptions) =>
    (methods[name] as Method)(input, options) as Promise<Input>;
  return {
    ...methods,
    followEvents: (input?: Input, options?: CallOptions) =>
      iterateEvents(methods.listEvents as Method, input, options),
    uploadFile: (input: UploadInput, options?: UploadOptions) =>
      uploadFile(client, callByName, input, options),
  };
}
