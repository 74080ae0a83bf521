import { Argument, type Command } from 'commander';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('Print a completion script for your shell')
    .addArgument(new Argument('<shell>').choices(shells))
    .addHelpText('after', '\nAdd this to your ~/.bashrc: eval "$(ew completion bash)"')
    .action((shell: Shell) => {
      process.stdout.write(shell === 'fish' ? buildFishScript(program) : buildBashScript(program, shell));
    });
}

interface CommandWords {
  /** The names of the command and its parents, without the program. */
  readonly path: readonly string[];
  readonly names: readonly string[];
  readonly flags: readonly string[];
}

function listCommandWords(command: Command, path: string[] = [], inherited: string[] = []): CommandWords[] {
  const flags = [...command.options.flatMap(({ long }) => long ?? []), ...inherited];
  return [
    { path, names: command.commands.map((each) => each.name()), flags: [...flags, '--help'] },
    ...command.commands.flatMap((each) => listCommandWords(each, [...path, each.name()], flags)),
  ];
}

function buildBashScript(program: Command, shell: 'bash' | 'zsh'): string {
  const cases = listCommandWords(program).map(
    ({ path, names, flags }) => `    '${path.join(' ')}') words='${[...names, ...flags].join(' ')}' ;;`,
  );
  const setup =
    shell === 'zsh'
      ? '(( $+functions[compdef] )) || { autoload -U compinit && compinit; }\nautoload -U bashcompinit && bashcompinit\n'
      : '';
  // The command is the first one or two words that are neither options nor the value of --profile.
  return `${setup}_${program.name()}() {
  local first='' second='' words='' word previous=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$previous:$word" in
      --profile:* | *:-*) ;;
      *) if [ -z "$first" ]; then first="$word"; elif [ -z "$second" ]; then second="$word"; fi ;;
    esac
    previous="$word"
  done
  for word in "$first \${second}" "$first"; do
    word="\${word% }"
    case "$word" in
${cases.join('\n')}
    esac
    [ -n "$words" ] && break
  done
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${program.name()} ${program.name()}
`;
}

function buildFishScript(program: Command): string {
  const name = program.name();
  const lines = listCommandWords(program).map(({ path: [first, second], names, flags }) => {
    const siblings = program.commands.find((each) => each.name() === first)?.commands ?? [];
    const condition =
      first === undefined
        ? '__fish_use_subcommand'
        : second === undefined
          ? `__fish_seen_subcommand_from ${first}${siblings.length > 0 ? `; and not __fish_seen_subcommand_from ${siblings.map((each) => each.name()).join(' ')}` : ''}`
          : `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`;
    return `complete -c ${name} -n '${condition}' -a '${[...names, ...flags].join(' ')}'`;
  });
  return `${lines.join('\n')}\n`;
}
