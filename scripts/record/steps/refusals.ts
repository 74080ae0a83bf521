// What every operation refuses, taken from the OpenAPI document: no credential, a wrong one, unknown names, a stranger.
import type { Recorder } from '../recorder.ts';
import type { People } from './people.ts';

const LOGINS_BEYOND_THE_LIMIT = 6;

interface OpenApi {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly security?: readonly unknown[] }>>>
  >;
}

export async function recordRefusals(recorder: Recorder, { paths }: OpenApi, people: People) {
  const { nobody, outsider, key } = people;
  for (const [path, methods] of Object.entries(paths)) {
    // An id of nobody's: numbers are looked up, texts are unknown.
    const address = `/v1${path.replace(/\{\w+\}/g, '987654321')}`;
    for (const name of Object.keys(methods)) {
      const method = name.toUpperCase();
      const body = ['GET', 'DELETE'].includes(method) ? undefined : {};
      await nobody.call(method, address, body);
      if (path.includes('{')) await outsider.call(method, address, body);
      await key.call(method, `${address}?nope=1`, body && { nope: 1 });
    }
  }
  for (const credential of ['nonsense', 'ew_live_short', 'ew_oat_short', 'eyJhbGciOiJub25lIn0.e30.x']) {
    await recorder.as('wrong credential', credential).call('GET', '/v1/me');
  }
  await nobody.call('GET', '/v1/me', undefined, { headers: { Authorization: 'Basic eDp5' } });
  await nobody.call('PUT', '/v1/tasks', {});
}

/** Ends the use of credentials, and of sign-ins from this address: the last step. */
export async function recordEnds({ owner, newcomer, member, key, nobody }: People) {
  const switched = await owner.call('GET', '/v1/workspaces');
  await owner.call('POST', `/v1/workspaces/${switched.read('data.1.id')}/switch`, {});
  await newcomer.call('POST', `/v1/workspaces/${switched.read('data.0.id')}/switch`, {});
  await member.call('POST', '/v1/auth/refresh', {});
  const apps = await owner.call('GET', '/v1/connected-apps?limit=1');
  const keyId = (await owner.call('GET', '/v1/connected-apps')).text.match(
    /"id":(\d+),"kind":"api_key"/,
  )?.[1];
  await owner.call('DELETE', `/v1/connected-apps/${apps.read<number>('data.0.id')}`);
  await owner.call('DELETE', `/v1/connected-apps/${keyId}`);
  await owner.call('DELETE', `/v1/connected-apps/${keyId}`);
  await key.call('GET', '/v1/me');
  const wrong = { email: 'owner@demo.test', password: 'not the password' };
  for (let times = 0; times < LOGINS_BEYOND_THE_LIMIT; times += 1) {
    await nobody.call('POST', '/v1/auth/login', wrong);
  }
}
