import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { recoverForm } from '../../flows/forms/recovery.ts'
import { asked } from '../support/flow-parts.ts'

describe('a prompt that is laid out', () => {
  const PROMPTS: [prompt: string, fields: string[]][] = [
    [
      '## Contact\n\n- **Name**\n- **Email**\n- **Topic**: Sales / Support\n- **Message**',
      ['name:text', 'email:email', 'topic:one_of(Sales|Support)', 'message:paragraph'],
    ],
    [
      'name:string, age: integer, plan:enum(basic,pro), member: boolean',
      ['name:text', 'age:number', 'plan:one_of(basic|pro)', 'member:one_of(yes|no)'],
    ],
    [
      'Fields: name (string, required), age (integer, optional), plan (enum: free, pro)',
      ['name:text', 'age:number?', 'plan:one_of(free|pro)'],
    ],
    [
      'First name / Last name / Email / Phone',
      ['first_name:text', 'last_name:text', 'email:email', 'phone:phone'],
    ],
    [
      'Name\nDate of Birth (DD/MM/YYYY)\nPhone (with country code)',
      ['name:text', 'date_of_birth:date', 'phone:phone'],
    ],
    [
      'Name (first and last)\nSize - S/M/L',
      ['first_name:text', 'last_name:text', 'size:one_of(S|M|L)'],
    ],
    ['Name*\nEmail\nHow can we help?*', ['name:text', 'email:email?', 'how_can_we_help:paragraph']],
    [
      '1) Name\n2) Preferred contact: a) phone b) email c) WhatsApp',
      ['name:text', 'preferred_contact:one_of(phone|email|WhatsApp)'],
    ],
    ['Collect: a) name b) email', ['name:text', 'email:email']],
    [
      '- Name\n- Size\n  - Small\n  - Large\n- Email\n  - the private one\n- City\n  - optional',
      ['name:text', 'size:one_of(Small|Large)', 'email:email', 'city:text?'],
    ],
    [
      'User picks product (A, B), enters an address, and confirms.',
      ['product:one_of(A|B)', 'address:text'],
    ],
    [
      '1. How satisfied are you?\n   - Very satisfied\n   - Dissatisfied\n2. What can we improve?',
      [
        'how_satisfied_are_you:one_of(Very satisfied|Dissatisfied)',
        'what_can_we_improve:paragraph',
      ],
    ],
    [
      'Name: [text]\nAge: [number]\nGender: [dropdown: Male, Female]\nNewsletter: [checkbox]',
      ['name:text', 'age:number', 'gender:one_of(Male|Female)', 'newsletter:consent?'],
    ],
    [
      'Fields\nname - text\nage - number\nplan - choice (free, pro)',
      ['name:text', 'age:number', 'plan:one_of(free|pro)'],
    ],
    [
      "It should capture the referrer's name and email and the friend's name and email",
      [
        'referrer_s_name:text',
        'referrer_s_email:email',
        'friend_s_name:text',
        'friend_s_email:email',
      ],
    ],
    [
      'Ask for the plan (Basic, Plus). If they choose Plus, ask for a trainer preference.',
      ['plan:one_of(Basic|Plus)', 'trainer_preference:text'],
    ],
    [
      'Is the address correct? If not, enter the new address.',
      ['is_the_address_correct:one_of(Yes|No)', 'new_address:text'],
    ],
    [
      'Customers enter their name. Finally they write any comments.',
      ['name:text', 'any_comments:paragraph?'],
    ],
    [
      'Survey: I feel valued (agree, disagree); I have the tools I need (same scale)',
      ['i_feel_valued:one_of(agree|disagree)', 'i_have_the_tools_i_need:one_of(agree|disagree)'],
    ],
    [
      'Form: emergency phone, best number to reach them, I have read and accept the rules',
      [
        'emergency_phone:phone',
        'best_number_to_reach_them:phone',
        'i_have_read_and_accept_the_rules:consent',
      ],
    ],
    [
      'Report: date and time of incident, location, what did you see, was the police informed',
      [
        'date_of_incident:date',
        'time_of_incident:text',
        'location:text',
        'what_did_you_see:paragraph',
        'was_the_police_informed:one_of(Yes|No)',
      ],
    ],
    [
      'Photo contest: photo title, photo, I own the rights to this photo',
      ['photo_title:text', 'photo:photo', 'i_own_the_rights_to_this_photo:consent'],
    ],
    [
      'Legal consultation: client type (individual/company), short summary, trip start',
      ['client_type:one_of(individual|company)', 'short_summary:paragraph', 'trip_start:date'],
    ],
    [
      'Ask the driver for the fuel level (full, empty), favourite genres (mystery, romance)',
      ['fuel_level:one_of(full|empty)', 'favourite_genres:some_of(mystery|romance)'],
    ],
    [
      'Lost and found: where was it lost, contact phone, reward offered?',
      ['where_was_it_lost:text', 'contact_phone:phone', 'reward_offered:one_of(Yes|No)'],
    ],
    [
      'Collect the delivery address (street, number, city, postcode) and the name',
      ['street:text', 'number:text', 'city:text', 'postcode:text', 'name:text'],
    ],
    [
      'Ask for the address (home, work) and interests (choose several: fashion, beauty)',
      ['address:one_of(home|work)', 'interests:some_of(fashion|beauty)'],
    ],
  ]
  it.each(PROMPTS)('%j is read as it is meant', (prompt, fields) => {
    const definition = generateByRules('form', prompt)
    expect(asked(definition)).toEqual(fields)
    expect(publishingFaults(definition)).toEqual([])
  })

  const SCREENS: [prompt: string, fields: [screen: number, label: string][]][] = [
    [
      'Form:\n1. Personal info\n   - Full name\n   - Email\n2. Order info\n   - Order number\n   - Issue (late, broken)',
      [
        [0, 'Full name'],
        [0, 'Email'],
        [1, 'Order number'],
        [1, 'Issue'],
      ],
    ],
    [
      'Screen 1: Welcome\n- Name\n- Phone\nScreen 2: Details\n- Service\n- Preferred date',
      [
        [0, 'Name'],
        [0, 'Phone'],
        [1, 'Service'],
        [1, 'Preferred date'],
      ],
    ],
  ]
  it.each(SCREENS)('%j has a screen for each of its groups', (prompt, fields) => {
    const form = recoverForm(generateByRules('form', prompt))
    expect(form?.fields.map(({ section, label }) => [section, label])).toEqual(fields)
  })
})
