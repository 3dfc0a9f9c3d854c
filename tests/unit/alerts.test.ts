import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { createMetrics } from '../../core/metrics.ts'
import { PROJECT_ROOT } from '../../core/root.ts'

type Rule = { alert: string; expr: string; annotations: { summary: string } }

/** The labels of every metric, by its name. */
const labels = new Map<string, string[]>(
  createMetrics()
    .registry.getMetricsAsArray()
    .map((metric) => [metric.name, 'labelNames' in metric ? (metric.labelNames as string[]) : []]),
)
const text = readFileSync(path.join(PROJECT_ROOT, 'examples/prometheus-rules.yaml'), 'utf8')
const { groups } = parse(text) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap(({ rules }) => rules.map((rule): [string, Rule] => [rule.alert, rule]))

it('no metric has a label that Prometheus gives to each series itself', () => {
  const own = [...labels].filter(([, names]) => names.some((name) => /^(job|instance)$/.test(name)))
  expect(own).toEqual([])
})

describe.each(rules)('the alert %s', (_name, { expr, annotations }) => {
  it('watches what the service counts, by labels that it has, and of no other service', () => {
    const series = [...expr.matchAll(/\b(up|[a-z]+(?:_[a-z]+)+)\b(?:\{([^}]*)\})?/g)]
    expect(series).not.toEqual([])
    for (const [, name = '', having = ''] of series) {
      const known = name === 'up' ? [] : labels.get(name)
      const asked = [...having.matchAll(/(\w+)(?:=~|!=|=)/g)].map(([, label]) => label)
      expect(asked).toContain('job')
      expect(['job', ...(known ?? [])]).toEqual(expect.arrayContaining(asked))
      expect(known).toBeDefined()
    }
  })

  it('tells of labels that are left', () => {
    const left = [...expr.matchAll(/\bby \((\w+)\)/g)].map(([, label]) => label)
    const told = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label)
    expect([...left, ...(expr.startsWith('up') ? ['instance'] : [])]).toEqual(
      expect.arrayContaining(told),
    )
  })
})
