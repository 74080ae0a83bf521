/** Bounds of the design that are not a request's own. */
const GZIP_BYTES_MAX = 350 * 1024;
const RATIO_MIN = 0.6;
const GROWTH_MAX = 1.3;
const SMALL = 10_000;
const LARGE = 1_000_000;

const whole = (value) => value.toLocaleString('en');

/** The same on every machine: trips, rows, bytes. */
export function fixedTargets({ bundle, results, counted }) {
  const labels = { trips: 'trips', rowsRead: 'rows read', rowsWritten: 'rows written' };
  const verdicts = [...results, ...counted]
    .sort((a, b) => a.size - b.size)
    .flatMap(({ size, name, checks }) => {
      if (!checks)
        return [verdict({ size, name, isMissed: true, text: 'not yet: no Link header to follow' })];
      const bounded = checks.filter(({ allowed }) => Number.isFinite(allowed));
      const text = bounded
        .map((each) => `${labels[each.name]} ${whole(each.measured)} / ${whole(each.allowed)}`)
        .join(', ');
      return [verdict({ size, name, isMissed: bounded.some((each) => each.measured > each.allowed), text })];
    });
  const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;
  return [
    verdict({
      size: null,
      name: 'bundle, gzip',
      isMissed: bundle.gzipBytes > GZIP_BYTES_MAX,
      text: `${kib(bundle.gzipBytes)} / ${kib(GZIP_BYTES_MAX)}`,
    }),
    ...verdicts,
  ];
}

/** What a busy machine may spoil: the ratio to the bare worker, and growth between the sizes. */
export function machineTargets({ results }) {
  const timed = results.filter(({ connections16 }) => connections16 !== null);
  const ratios = timed
    .filter(({ isWrite }) => !isWrite)
    .map(({ size, name, ratio, cpuRatio }) => {
      const byCpu = cpuRatio === null ? '' : `; ${cpuRatio.toFixed(2)} by CPU time`;
      const text = `${ratio.toFixed(2)} of the bare worker's requests a second, at least ${RATIO_MIN}${byCpu}`;
      return verdict({ size, name, isMissed: ratio < RATIO_MIN, text });
    });
  const growths = timed
    .filter(({ size, mustNotGrow }) => mustNotGrow && size === LARGE)
    .flatMap((large) => {
      const small = timed.find(
        ({ size, name }) => size === SMALL && nameWithoutDepth(name) === nameWithoutDepth(large.name),
      );
      if (!small) return [];
      const growth = large.connections1.app.p50 / small.connections1.app.p50;
      return [
        verdict({
          size: LARGE,
          name: large.name,
          isMissed: growth > GROWTH_MAX,
          text: `p50 ${growth.toFixed(2)} × that of ${whole(SMALL)} tasks, at most ${GROWTH_MAX}`,
        }),
      ];
    });
  return [...ratios, ...growths];
}

function nameWithoutDepth(name) {
  return name.replace(/[\d,]+$/, '');
}

function verdict({ size, name, isMissed, text }) {
  return { size, name, isMissed, text };
}
