// What does a language model read of the site? llms.txt, a list of all pages, and llms-full.txt, their texts.
import { summaryOf } from './pages.ts'
import { pagesIn, type Group } from './sidebar.ts'

const opening = `# Minutebook

> Keeps long LLM conversations inside the context window, and shows exactly what the model saw. A TypeScript library, a gateway for Ollama, OpenAI-compatible servers and Anthropic's API, a server on Postgres, a web console, and multi-agent experiments.

Each page is here as Markdown. llms-full.txt has the text of all of them, except for the references of TypeScript and HTTP.`

/** A line for each page: its address as Markdown, and what it is about. */
export function llmsList(groups: readonly Group[], base: string): string {
  const sections = groups.map((group) => {
    const lines = pagesIn(group.entries).map((page) => {
      const about = summaryOf(page)
      return `- [${page.title}](${base}${page.name}.md)${about === '' ? '' : `: ${about}`}`
    })
    return `## ${group.text}\n\n${lines.join('\n')}`
  })
  return `${[opening, ...sections].join('\n\n')}\n`
}

/** The pages that are written by hand, one after the other. Generated references are too long for a prompt. */
export function llmsText(groups: readonly Group[], base: string): string {
  const texts = groups
    .flatMap((group) => pagesIn(group.entries))
    .filter(({ name }) => !/^(reference\/(http|typescript)|examples|inside)\//.test(name))
    .map((page) => `<page address="${base}${page.name}.md">\n\n${page.text.trim()}\n\n</page>`)
  return `${[opening, ...texts].join('\n\n')}\n`
}
