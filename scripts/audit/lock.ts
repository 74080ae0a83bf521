type Group = 'dependencies' | 'devDependencies' | 'optionalDependencies';

export type Manifest = Partial<Record<Group, Readonly<Record<string, string>>>>;

/** One entry of package-lock.json. The project itself, under '', says what package.json asked for. */
export interface LockedPackage extends Manifest {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly license?: unknown;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
}

export interface Lock {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

const groups: readonly Group[] = ['dependencies', 'devDependencies', 'optionalDependencies'];

/** Whether every machine installs the same bytes, and from the registry alone. */
export function findLockProblems(manifest: Manifest, { lockfileVersion, packages }: Lock): string[] {
  const problems: string[] = [];
  if (lockfileVersion !== 3) problems.push(`package-lock.json: version ${lockfileVersion}, expected 3`);
  for (const group of groups) {
    for (const [name, version] of Object.entries(manifest[group] ?? {})) {
      if (!/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version)) {
        problems.push(
          `package.json: ${name} must be pinned to one version of the registry; got '${version}'`,
        );
      }
      const locked = packages[`node_modules/${name}`]?.version;
      const root = packages['']?.[group]?.[name];
      if (locked !== version || root !== version) {
        problems.push(
          `package-lock.json: ${name} is ${locked ?? 'missing'}, package.json says ${version}; run npm install`,
        );
      }
    }
  }
  for (const [path, { resolved, integrity, link }] of Object.entries(packages)) {
    if (path === '') continue;
    // Names, versions and hashes say what is installed; an address would bind everyone to one registry, or to a stranger.
    if (link || resolved) {
      problems.push(
        `package-lock.json: ${path} names where it comes from (${resolved ?? 'a link'}); install with --omit-lockfile-registry-resolved, and from the registry only`,
      );
    }
    if (!/^sha512-[\w+/]{86}==$/.test(integrity ?? '')) {
      problems.push(`package-lock.json: ${path} has no SHA-512 of its bytes`);
    }
  }
  return problems;
}
