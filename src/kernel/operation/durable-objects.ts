type DurableObjectBinding =
  | 'DATABASE_KEEPER'
  | 'ERROR_LOG'
  | 'RATE_WINDOW'
  | 'UPLOAD_SESSION'
  | 'WORKSPACE_HUB';

/** The same name refers to a different object in each jurisdiction. The local runtime has no jurisdictions. */
export function getDurableObject<Name extends DurableObjectBinding>(
  env: Env,
  binding: Name,
  name: string,
): ReturnType<Env[Name]['getByName']> {
  const namespace = env[binding] as DurableObjectNamespace;
  const jurisdiction = env.ENVIRONMENT === 'local' ? undefined : env.JURISDICTION;
  const objects = jurisdiction ? namespace.jurisdiction(jurisdiction) : namespace;
  return objects.getByName(name) as ReturnType<Env[Name]['getByName']>;
}
