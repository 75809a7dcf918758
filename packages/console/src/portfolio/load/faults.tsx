import { useMessages } from '../../session/session.tsx'
import type { Review } from './load-api.ts'

type Fault = Review['faults'][number]

const byFile = (faults: ReadonlyArray<Fault>): ReadonlyMap<string, ReadonlyArray<Fault>> => {
  const files = new Map<string, ReadonlyArray<Fault>>()
  for (const fault of faults) files.set(fault.file, [...(files.get(fault.file) ?? []), fault])
  return files
}

/** The errors of the files, by file and line. */
export const Faults = ({ faultCount, faults }: Pick<Review, 'faultCount' | 'faults'>) => {
  const { portfolioLoad: words } = useMessages()
  return (
    <section className="notice problem" aria-labelledby="faults-title">
      <h2 id="faults-title">{words.faults(faultCount)}</h2>
      <p>{words.nothingChanged}</p>
      <ul className="faults">
        {[...byFile(faults)].map(([file, own]) => (
          <li key={file}>
            <h3>{file === '' ? words.folder : file}</h3>
            <ul>
              {own.map(({ line, text }) => (
                <li key={`${line} ${text}`}>
                  {line !== null && <strong>{words.line(line)} </strong>}
                  {words.fault(text)}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {faultCount > faults.length && <p>{words.moreFaults(faultCount - faults.length)}</p>}
    </section>
  )
}
