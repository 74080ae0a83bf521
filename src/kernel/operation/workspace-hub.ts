/** The object that tells everyone who follows a workspace that something happened in it. */
export function hubOf(
  env: Env,
  cell: number,
  workspace: number,
): ReturnType<Env['WORKSPACE_HUB']['getByName']> {
  return env.WORKSPACE_HUB.getByName(`${cell}/${workspace}`);
}
