import { Command } from 'commander';
import { addAccountCommands } from './commands/account.ts';
import { addApiCommand } from './commands/api.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addEventCommands } from './commands/events.ts';
import { addExportCommand } from './commands/exports.ts';
import { addImportCommand } from './commands/imports.ts';
import { addProjectAndPeopleCommands } from './commands/projects-and-people.ts';
import { addSkillCommand } from './commands/skill.ts';
import { addTaskCommands } from './commands/tasks.ts';
import { addTimeCommands } from './commands/time.ts';

export function createProgram(version: string): Command {
  const program = new Command('ew')
    .description('Edgework on the command line')
    .version(version)
    .option('--profile <name>', 'profile to use')
    .option('--json', 'print JSON')
    .option('--read-only', 'prevent changes')
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      '\nStart with `ew sign-in URL`. Exit codes and examples: /docs/command-line on your server.',
    );
  addTaskCommands(program);
  addTimeCommands(program);
  addProjectAndPeopleCommands(program);
  addEventCommands(program);
  addImportCommand(program);
  addExportCommand(program);
  addApiCommand(program);
  addAccountCommands(program);
  addDoctorCommand(program);
  addCompletionCommand(program);
  addSkillCommand(program);
  return program;
}
