import type {
  OAuthClientMetadata,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

interface StoredState {
  client?: StoredOAuthClientInformation;
  tokens?: StoredOAuthTokens;
  authorizationUrl?: URL | undefined;
  verifier?: string;
  discovery?: OAuthDiscoveryState;
}

export type Provider = ReturnType<typeof createProvider>;

/** Creates the OAuth provider that both versions of the MCP SDK require. It stores its data in memory. */
export function createProvider({
  redirectUrl = 'http://localhost:33418/callback',
  name,
}: {
  redirectUrl?: string;
  name: string;
}) {
  const kept: StoredState = {};
  const clientMetadata: OAuthClientMetadata = {
    client_name: name,
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  return {
    kept,
    redirectUrl,
    clientMetadata,
    state: () => 'a state of the client',
    clientInformation: () => kept.client,
    saveClientInformation: (client: StoredOAuthClientInformation) => {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens: StoredOAuthTokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (url: URL) => {
      kept.authorizationUrl = url;
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? '',
    saveDiscoveryState: (state: OAuthDiscoveryState) => {
      kept.discovery = state;
    },
    discoveryState: () => kept.discovery,
  };
}
