import { Argument, Command } from 'commander'
import { bashCompletion } from '../completion/bash.ts'
import { fishCompletion } from '../completion/fish.ts'
import { placesOf } from '../completion/words.ts'
import { zshCompletion } from '../completion/zsh.ts'
import type { Terminal } from '../terminal.ts'
import type { Ended } from './reading.ts'

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const

export function completionCommand(terminal: Terminal, ended: Ended): Command {
  return new Command('completion')
    .description('Print what lets a shell complete this command')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(shells)))
    .addHelpText('after', uses)
    .action((shell: keyof typeof shells, _: object, command: Command) => {
      terminal.output.write(shells[shell](placesOf(command.parent ?? command)))
      ended(0)
    })
}

const uses = `
For every shell that is opened from now on:
  echo 'eval "$(minutebook completion bash)"' >> ~/.bashrc
  echo 'source <(minutebook completion zsh)' >> ~/.zshrc
  minutebook completion fish > ~/.config/fish/completions/minutebook.fish`
