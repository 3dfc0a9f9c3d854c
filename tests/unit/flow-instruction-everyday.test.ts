import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { changesBy } from '../support/flow-changes.ts'

describe('an instruction for the form of a caterer', () => {
  const form = generateByRules(
    'f',
    'Event quote: name, email, phone, event type (Wedding, Birthday, Other), date, guest count, allergies',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    ['Could you add one more question about budget?', ['Budget: number']],
    ['Remove the question about allergies', ['-allergies']],
    ['Drop the last two questions', ['-guest_count', '-allergies']],
    ['Delete everything after date', ['-guest_count', '-allergies']],
    ['Add a short description field', ['Short description: paragraph']],
    ['Please make the email question not required', ['Email: email?']],
    [
      "I'd like the guest count to have a minimum of 1 and a maximum of 20",
      ['Guest count: number{From 1 to 20}'],
    ],
    ['Rename "Date" to "Date of your event"', ['Date of your event: date']],
    [
      'Change event type choices: Wedding, Birthday, Corporate, Other',
      ['Event type: one_of(Wedding|Birthday|Corporate|Other)'],
    ],
    ['Add "Graduation" to event type', ['Event type: one_of(Wedding|Birthday|Other|Graduation)']],
    [
      'Add Graduation and Baby shower as event types',
      ['Event type: one_of(Wedding|Birthday|Other|Graduation|Baby shower)'],
    ],
    ['Take "Wedding" out of the event types', ['Event type: one_of(Birthday|Other)']],
    [
      'When the event type is Wedding, ask for the names of the couple',
      ['Names of the couple: text when event_type is Wedding after event_type'],
    ],
    [
      'If they choose Other, let them specify',
      ['Please specify: text when event_type is Other after event_type'],
    ],
    [
      "Don't ask about allergies unless the event type is Wedding",
      ['Allergies: text when event_type is Wedding'],
    ],
    ['Show allergies only for weddings', ['Allergies: text when event_type is Wedding']],
    [
      'Put the event type question at the top',
      ['order: event_type, name, email, phone, date, guest_count, allergies'],
    ],
    [
      'Event type should be the first question',
      ['order: event_type, name, email, phone, date, guest_count, allergies'],
    ],
    ['Move date up', ['order: name, email, phone, date, event_type, guest_count, allergies']],
    [
      'Move email down by one',
      ['order: name, phone, email, event_type, date, guest_count, allergies'],
    ],
    [
      'Place phone right after name',
      ['order: name, phone, email, event_type, date, guest_count, allergies'],
    ],
    ['Add a phone country code field before phone', ['Phone country code: phone after email']],
    ['Ask for a photo of the venue (optional)', ['Photo of the venue: photo?']],
    ['Ask them to upload a photo of the venue', ['Photo of the venue: photo']],
    ['They should also upload their ID', ['ID: document']],
    [
      'Add an agreement that the deposit is not refundable',
      ['I confirm that the deposit is not refundable: consent'],
    ],
    ['Have them accept the terms', ['I accept the terms and conditions: consent']],
    [
      'Add a second page for the venue address: street, city, zip',
      [
        'Street: text',
        'City: text',
        'Zip: text',
        'screens: name, email, phone, event_type, date | guest_count, allergies | street, city, zip',
      ],
    ],
    [
      'Put date and guest count on the second screen',
      ['screens: name, email, phone, event_type | allergies, date, guest_count'],
    ],
    [
      'Start a new page after email',
      ['screens: name, email | phone, event_type, date, guest_count, allergies'],
    ],
    [
      'Three screens please',
      ['screens: name, email, phone | event_type, date | guest_count, allergies'],
    ],
    ['The button should read "Request quote"', ['button: Request quote']],
    ['Change "Submit" to "Request quote"', ['button: Request quote']],
    ['Set title: Event Quote', ['title: Event Quote']],
    [
      'Add description below the title: "Tell us about your event"',
      ['note: Tell us about your event'],
    ],
    ['Add a note that prices include tax', ['note: Prices include tax']],
    [
      'Change guest count to a choice of 1-20, 21-50, 51-100',
      ['Guest count: one_of(1-20|21-50|51-100)'],
    ],
    ['Make date a text field', ['Date: text']],
    [
      'Convert allergies to checkboxes: Nuts, Dairy, Gluten',
      ['Allergies: some_of(Nuts|Dairy|Gluten)'],
    ],
    ['Allergies: make it a yes/no question', ['Allergies: one_of(Yes|No)']],
    ['Limit guest count to 200 max', ['Guest count: number{At most 200}']],
    ['allergies max 50 words', ['Allergies: text{At most 50 words}']],
    ['Change name to full name and make it required', ['Full name: text']],
    [
      'Swap the order of name and email',
      ['order: email, name, phone, event_type, date, guest_count, allergies'],
    ],
    ['Add budget (number)', ['Budget: number']],
    [
      'Add a budget question with three ranges: under 1000, 1000-5000, over 5000',
      ['Budget: one_of(under 1000|1000-5000|over 5000)'],
    ],
    [
      'Add 3 more fields: company, VAT number and billing address',
      ['Company: text', 'VAT number: text', 'Billing address: text'],
    ],
    ['Add another date called "Alternative date"', ['Alternative date: date']],
    ['Ask for an alternative date too', ['Alternative date: date']],
    [
      'Require the phone only',
      [
        'Name: text?',
        'Email: email?',
        'Event type: one_of?(Wedding|Birthday|Other)',
        'Date: date?',
        'Guest count: number?',
        'Allergies: text?',
      ],
    ],
    [
      'only the email should be required',
      [
        'Name: text?',
        'Phone: phone?',
        'Event type: one_of?(Wedding|Birthday|Other)',
        'Date: date?',
        'Guest count: number?',
        'Allergies: text?',
      ],
    ],
    ['Add a dropdown "Country" with Spain, France, Italy', ['Country: one_of(Spain|France|Italy)']],
    [
      'Add a field "How did you hear about us" (Google, Friend, Ad) and make it optional',
      ['How did you hear about us: one_of?(Google|Friend|Ad)'],
    ],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})

describe('an instruction for the form of a vet', () => {
  const form = generateByRules(
    'f',
    'Vet visit: pet name, pet type (Dog, Cat, Bird), owner name, owner email, owner phone, preferred time, reason',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    [
      'Make "Preferred time" a choice between morning, afternoon and evening',
      ['Preferred time: one_of(morning|afternoon|evening)'],
    ],
    [
      'Change preferred time to options: morning, afternoon, evening',
      ['Preferred time: one_of(morning|afternoon|evening)'],
    ],
    ['The pet type should also include Rabbit', ['Pet type: one_of(Dog|Cat|Bird|Rabbit)']],
    ['Include "Hamster" in pet types', ['Pet type: one_of(Dog|Cat|Bird|Hamster)']],
    ['Order the pet types alphabetically', ['Pet type: one_of(Bird|Cat|Dog)']],
    ['Put Cat first in pet type', ['Pet type: one_of(Cat|Dog|Bird)']],
    ['Rename Cat to Kitten', ['Pet type: one_of(Dog|Kitten|Bird)']],
    ['pet type: remove Bird', ['Pet type: one_of(Dog|Cat)']],
    ['Get rid of the reason field altogether', ['-reason']],
    ["I no longer want to collect the owner's email", ['-owner_email']],
    ["Ask the pet's age right after the pet name", ["Pet's age: number after pet_name"]],
    ['Ask how old the pet is after pet name', ['How old the pet is: number after pet_name']],
    [
      'Add vaccination status (up to date, overdue, unknown) before reason',
      ['Vaccination status: one_of(up to date|overdue|unknown) after preferred_time'],
    ],
    ['After reason add a photo upload', ['Photo upload: photo']],
    [
      "Before the reason, ask if it's an emergency",
      ['Is it an emergency?: one_of(Yes|No) after preferred_time'],
    ],
    [
      'If the pet type is Dog ask for the breed',
      ['Breed: text when pet_type is Dog after pet_type'],
    ],
    ['only ask breed for dogs', ['Breed: text when pet_type is Dog after pet_type']],
    [
      'For cats, ask whether they are indoor or outdoor',
      ['Are you indoor or outdoor?: one_of(indoor|outdoor) when pet_type is Cat after pet_type'],
    ],
    [
      'make owner email and owner phone optional but keep pet name required',
      ['Owner email: email?', 'Owner phone: phone?'],
    ],
    [
      'Only pet name and phone are mandatory',
      [
        'Pet type: one_of?(Dog|Cat|Bird)',
        'Owner name: text?',
        'Owner email: email?',
        'Preferred time: text?',
        'Reason: paragraph?',
      ],
    ],
    ['Set a character limit of 300 on reason', ['Reason: paragraph[..300]']],
    ['reason: max 300 characters', ['Reason: paragraph[..300]']],
    ['reason can be at most 300 characters long', ['Reason: paragraph[..300]']],
    [
      'Give reason a hint: "Tell us what you noticed"',
      ['Reason: paragraph{Tell us what you noticed}'],
    ],
    [
      'Under owner phone write "We only call about this visit"',
      ['Owner phone: phone{We only call about this visit}'],
    ],
    ['Prefill pet type with Dog', ['Pet type: one_of(Dog|Cat|Bird)=Dog']],
    ['Let\'s call the button "Book visit"', ['button: Book visit']],
    ['Button: Book visit', ['button: Book visit']],
    ['Title: Vet visit', ['title: Vet visit']],
    ['Introduce the form with "Welcome to Happy Paws"', ['note: Welcome to Happy Paws']],
    [
      'Move pet questions to a second screen',
      [
        'screens: owner_name, owner_email, owner_phone | preferred_time, reason, pet_name, pet_type',
      ],
    ],
    [
      'Put owner name, owner email and owner phone on page 2',
      [
        'screens: pet_name, pet_type | preferred_time, reason, owner_name, owner_email, owner_phone',
      ],
    ],
    [
      'Put the owner details on the last page',
      [
        'screens: pet_name, pet_type | preferred_time, reason, owner_name, owner_email, owner_phone',
      ],
    ],
    ["Don't show the summary", ['reviewed: false']],
    [
      'Add "Other (please specify)" to pet type',
      ['Pet type: one_of(Dog|Cat|Bird|Other (please specify))'],
    ],
    [
      'Change reason to a dropdown (Checkup, Vaccination, Illness, Other)',
      ['Reason: one_of(Checkup|Vaccination|Illness|Other)'],
    ],
    [
      'Reason should be a list instead: Checkup, Vaccination, Illness',
      ['Reason: one_of(Checkup|Vaccination|Illness)'],
    ],
    ['Turn reason into radio buttons: Checkup, Illness', ['Reason: one_of(Checkup|Illness)']],
    [
      'Make reason multiple choice (Checkup, Vaccination, Illness)',
      ['Reason: some_of(Checkup|Vaccination|Illness)'],
    ],
    ['Make pet type multi-select', ['Pet type: some_of(Dog|Cat|Bird)']],
    [
      "Add consent: I agree to the clinic's policies",
      ["I agree to the clinic's policies: consent"],
    ],
    ['Add checkbox: Send me reminders', ['Send me reminders: consent?']],
    [
      'Add a rating question from 1 to 10 about our website',
      ['Rating about our website: one_of(1|2|3|4|5|6|7|8|9|10)'],
    ],
    [
      'Ask "How did you hear about us?" with choices Friend, Google, Walk-by',
      ['How did you hear about us?: one_of(Friend|Google|Walk-by)'],
    ],
    [
      'add the question What is your budget? with 3 answers low, medium, high',
      ['What is your budget?: one_of(low|medium|high)'],
    ],
    ['Add a second emergency phone number', ['Second emergency phone number: phone']],
    [
      'swap pet name with owner name',
      ['order: owner_name, pet_type, pet_name, owner_email, owner_phone, preferred_time, reason'],
    ],
    [
      'Reorder: owner name, owner phone, owner email, pet name, pet type',
      ['order: owner_name, owner_phone, owner_email, pet_name, pet_type, preferred_time, reason'],
    ],
    [
      'Replace the owner email question with a WhatsApp number',
      ['WhatsApp number: phone after owner_name', '-owner_email'],
    ],
    ['Switch owner email for address', ['Address: text after owner_name', '-owner_email']],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})
