import { randomBytes } from 'node:crypto';

/** Variables of a server on this machine, new ones at each call. */
export function localSecrets() {
  return {
    SESSION_SECRET: randomBytes(48).toString('base64url'),
    ENVIRONMENT: 'local',
    EXPOSE_COST: 'true',
    // Of the local emulation of R2, as wrangler.toml has them.
    R2_ACCESS_KEY_ID: 'local',
    R2_SECRET_ACCESS_KEY: 'only-for-the-local-emulation',
  };
}
