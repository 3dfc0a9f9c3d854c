import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { shown } from '../support/flow-parts.ts'

describe('a prompt that has things rated', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'A survey where guests rate the room, the staff and the breakfast from 1 to 5',
      ['Rate the room: one_of 1|2|3|4|5', 'Staff: one_of 1|2|3|4|5', 'Breakfast: one_of 1|2|3|4|5'],
    ],
    [
      'Event feedback where attendees rate venue, food and organisation from 1 to 5 and leave a comment',
      [
        'Rate venue: one_of 1|2|3|4|5',
        'Food: one_of 1|2|3|4|5',
        'Organisation: one_of 1|2|3|4|5',
        'Comment: paragraph',
      ],
    ],
    [
      'A survey to rate the room, the staff and the breakfast from 1 to 3',
      ['Rate the room: one_of 1|2|3', 'Staff: one_of 1|2|3', 'Breakfast: one_of 1|2|3'],
    ],
    [
      'Let guests rate the pool, the gym and the spa',
      ['Rate the pool: one_of 1|2|3|4|5', 'Gym: one_of 1|2|3|4|5', 'Spa: one_of 1|2|3|4|5'],
    ],
    [
      'Survey in which participants score the speaker, the slides and the venue out of 5',
      ['Rate the speaker: one_of 1|2|3|4|5', 'Slides: one_of 1|2|3|4|5', 'Venue: one_of 1|2|3|4|5'],
    ],
    [
      'Encuesta donde los huéspedes califican la habitación, el personal y el desayuno del 1 al 5 y dejan un comentario',
      [
        'Califica la habitación: one_of 1|2|3|4|5',
        'Personal: one_of 1|2|3|4|5',
        'Desayuno: one_of 1|2|3|4|5',
        'Comentario: paragraph',
      ],
    ],
    [
      'Los clientes califican la comida, el servicio y el ambiente del 1 al 5',
      [
        'Califica la comida: one_of 1|2|3|4|5',
        'Servicio: one_of 1|2|3|4|5',
        'Ambiente: one_of 1|2|3|4|5',
      ],
    ],
    [
      "Patient satisfaction: doctor friendliness, waiting room cleanliness, each on a 1-5 scale, plus whether they'd return",
      [
        'Doctor friendliness: one_of 1|2|3|4|5',
        'Waiting room cleanliness: one_of 1|2|3|4|5',
        'Would you return?: one_of Yes|No',
      ],
    ],
    [
      'Give me a feedback form with a thumbs up / thumbs down and a textbox',
      ['Rating: one_of Thumbs up|Thumbs down', 'Comments: paragraph'],
    ],
    [
      'Which language do you speak? English, French, Arabic. How well? Beginner to fluent',
      [
        'Which language do you speak?: one_of English|French|Arabic',
        'How well?: one_of beginner|intermediate|advanced|fluent',
      ],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('a prompt that says the scale in a sentence of its own', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Create a survey to measure employee engagement. Use a 1-5 scale for: workload, management, growth opportunities. End with an open question about improvements.',
      [
        'Workload: one_of 1|2|3|4|5',
        'Management: one_of 1|2|3|4|5',
        'Growth opportunities: one_of 1|2|3|4|5',
        'Improvements: paragraph',
      ],
    ],
    [
      'Use a rating of 1 to 5 for food and service, then comments',
      ['Food: one_of 1|2|3|4|5', 'Service: one_of 1|2|3|4|5', 'Comments: paragraph'],
    ],
    [
      'Encuesta. Usa una escala del 1 al 5 para: carga de trabajo, gerencia, salario',
      [
        'Carga de trabajo: one_of 1|2|3|4|5',
        'Gerencia: one_of 1|2|3|4|5',
        'Salario: one_of 1|2|3|4|5',
      ],
    ],
    [
      'Use stars (1-5) for cleanliness, comfort and location',
      ['Cleanliness: one_of 1|2|3|4|5', 'Comfort: one_of 1|2|3|4|5', 'Location: one_of 1|2|3|4|5'],
    ],
    [
      'Survey with three star ratings: service, food, atmosphere',
      ['Service: one_of 1|2|3|4|5', 'Food: one_of 1|2|3|4|5', 'Atmosphere: one_of 1|2|3|4|5'],
    ],
    [
      'Feedback on our app: ease of use, design, speed (all rated 1-5), and what feature do you miss?',
      [
        'Ease of use: one_of 1|2|3|4|5',
        'Design: one_of 1|2|3|4|5',
        'Speed: one_of 1|2|3|4|5',
        'What feature do you miss?: paragraph',
      ],
    ],
    [
      'Rate your stay: room, food, staff. Scale 1-5.',
      ['Room: one_of 1|2|3|4|5', 'Food: one_of 1|2|3|4|5', 'Staff: one_of 1|2|3|4|5'],
    ],
    [
      'Rate your stay: room, food, staff. Use a scale of 1 to 10. Comments too.',
      [
        'Room: one_of 1|2|3|4|5|6|7|8|9|10',
        'Food: one_of 1|2|3|4|5|6|7|8|9|10',
        'Staff: one_of 1|2|3|4|5|6|7|8|9|10',
        'Comments: paragraph',
      ],
    ],
    [
      'Form: name, star rating for service',
      ['Name: text', 'Star rating for service: one_of 1|2|3|4|5'],
    ],
  ])('%j is read as it is meant', (prompt, asked) => {
    expect(shown(generateByRules('f', prompt))).toEqual(asked)
  })
})
