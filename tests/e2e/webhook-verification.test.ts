import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { PROJECT_ROOT } from '../../core/root.ts'

type Vector = { name: string; body: string; header: string; now: number; valid: boolean }

const page = readFileSync(path.join(PROJECT_ROOT, 'docs/webhooks.md'), 'utf8')
const recorded = readFileSync(
  path.join(PROJECT_ROOT, 'tests/fixtures/webhooks/signatures.json'),
  'utf8',
)
const { vectors } = JSON.parse(recorded) as { vectors: Vector[] }
const expected = vectors.map(({ name, valid }) => `${name}: ${valid}`)

/** Each prints `name: true` or `name: false` for every recorded delivery. */
const DRIVERS = {
  js: `
import { readFileSync } from 'node:fs'
const { secret, vectors } = JSON.parse(readFileSync(process.argv[2]))
for (const { name, body, header, now } of vectors)
  console.log(\`\${name}: \${verify(Buffer.from(body), header, secret, now)}\`)
`,
  python: `
import json, sys
recorded = json.load(open(sys.argv[1], encoding="utf-8"))
for v in recorded["vectors"]:
    ok = verify(v["body"].encode(), v["header"], recorded["secret"], v["now"])
    print(f"{v['name']}: {str(ok).lower()}")
`,
  go: `package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
	"verification/webhooks"
)

func main() {
	var recorded struct {
		Secret  string
		Vectors []struct {
			Name, Body, Header string
			Now                int64
		}
	}
	text, _ := os.ReadFile(os.Args[1])
	if err := json.Unmarshal(text, &recorded); err != nil {
		panic(err)
	}
	for _, v := range recorded.Vectors {
		ok := webhooks.Verify([]byte(v.Body), v.Header, recorded.Secret, time.Unix(v.Now, 0))
		fmt.Printf("%s: %t\\n", v.Name, ok)
	}
}
`,
  php: `
$recorded = json_decode(file_get_contents($argv[1]), true);
foreach ($recorded['vectors'] as $v) {
    $ok = verify($v['body'], $v['header'], $recorded['secret'], $v['now']);
    echo $v['name'] . ': ' . ($ok ? 'true' : 'false') . "\\n";
}
`,
}

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'webhook-verification-'))
  write('signatures.json', recorded)
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the verification code that the page on webhooks gives', () => {
  it('accepts exactly the genuine deliveries in JavaScript', () => {
    write('verify.mjs', `${snippet('js')}${DRIVERS.js}`)
    expect(run(process.execPath, ['verify.mjs', 'signatures.json'])).toEqual(expected)
  })

  itWith('python3')('accepts exactly the genuine deliveries in Python', () => {
    write('verify.py', `${snippet('python')}${DRIVERS.python}`)
    expect(run('python3', ['verify.py', 'signatures.json'])).toEqual(expected)
  })

  itWith('go')(
    'accepts exactly the genuine deliveries in Go',
    () => {
      write('go.mod', 'module verification\n\ngo 1.19\n')
      write('webhooks/verify.go', snippet('go'))
      write('main.go', DRIVERS.go)
      expect(run('go', ['run', '.', 'signatures.json'])).toEqual(expected)
    },
    120_000,
  )

  itWith('php')('accepts exactly the genuine deliveries in PHP', () => {
    write('verify.php', `${snippet('php')}${DRIVERS.php}`)
    expect(run('php', ['verify.php', 'signatures.json'])).toEqual(expected)
  })
})

/** A language that is not installed shows as skipped in the summary, never as passed. */
function itWith(program: string) {
  const versionOf = program === 'go' ? 'version' : '--version'
  return spawnSync(program, [versionOf]).status === 0 ? it : it.skip
}

function snippet(language: keyof typeof DRIVERS): string {
  const found = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1]
  if (found === undefined) throw new Error(`The page has no code in ${language}`)
  return found
}

function write(name: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
  writeFileSync(path.join(folder, name), text)
}

function run(program: string, args: string[]): string[] {
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' }
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    env,
  })
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`)
  return stdout.trimEnd().split('\n')
}
