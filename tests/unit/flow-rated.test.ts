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
