// `npm run deploy` checks the configuration, creates missing resources, applies migrations and deploys. With
// `-- --dry-run`, it only runs the checks that need no account. Migrations only add tables and columns, so the running
// version keeps working (docs/deploy.md).
import { root } from './databases.ts';
import { DeployError } from './deploy/configuration.ts';
import { deploy } from './deploy/deployment.ts';
import { readOptions } from './deploy/options.ts';
import { createTools } from './deploy/tools.ts';

process.chdir(root);
try {
  const options = readOptions(process.argv.slice(2));
  await deploy(options, await createTools(options.env));
} catch (error) {
  if (!(error instanceof DeployError)) throw error;
  console.error(`\n${error.message}`);
  process.exit(1);
}
