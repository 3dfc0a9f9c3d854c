import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { recoverForm } from '../../flows/forms/recovery.ts'

const labelsOf = (prompt: string) =>
  recoverForm(generateByRules('form', prompt))?.fields.map(({ label }) => label)

describe('a prompt in a language that the rules do not read', () => {
  it.each([
    'Pergunte nome, email e telefone',
    'Nome e email. O telefone é opcional.',
    'Crie um formulário de agendamento com nome, data, horário e serviço',
    'Escolha o sabor: morango, chocolate ou baunilha',
    'Nom, e-mail et téléphone',
    'Demande le nom, la ville et l’e-mail',
    'Name, E-Mail und Telefonnummer',
    'Bitte Name, E-Mail und Telefonnummer abfragen',
    '- Vorname\n- Nachname\n- E-Mail',
    'Chiedi nome, email e telefono',
    'naam, e-mail en telefoonnummer',
    'Nama, email dan nomor telepon',
    'İsim, telefon, email, tarih',
    'Imię, nazwisko oraz numer telefonu',
    'Имя, email и телефон',
    '姓名、email、电话',
  ])('is refused, and no part of it taken for all: %s', (prompt) => {
    expect(generateByRules('form', prompt)).toBe(
      'the prompt is in a language that the built-in rules do not read; write it in English or Spanish',
    )
  })

  it.each([
    ['Ask "Wie geht es dir?" and the name', ['Wie geht es dir?', 'Name']],
    ['Ask in German for "Vorname", "Nachname" and "Stadt"', ['Vorname', 'Nachname', 'Stadt']],
    ['Name, "Ihre Adresse und Stadt"', ['Name', 'Ihre Adresse und Stadt']],
    ['Name, company, EST time', ['Name', 'Company', 'EST time']],
    ['Di tu nombre y correo', ['Di tu nombre', 'Correo']],
    ['Reserva: nombre, teléfono, número de personas', ['Nombre', 'Teléfono', 'Número de personas']],
  ])('is not one that only holds words of such a language: %s', (prompt, labels) => {
    expect(labelsOf(prompt)).toEqual(labels)
  })
})

describe('the words on the buttons', () => {
  it.each([
    ['Reporte de incidencia: tipo (avería, robo), ubicación, descripción, 3 fotos', 'es'],
    ['Fecha, hora, comentarios', 'es'],
    ['Reserva: nombre, edad', 'es'],
    ['Registration: name, edition, station, photo', 'en'],
    ['Collect the empresa name and email for our client', 'en'],
  ])('are of the language of a prompt: %s', (prompt, language) => {
    expect(recoverForm(generateByRules('form', prompt))?.language).toBe(language)
  })

  it('a Portuguese prompt is none in Spanish because of the words that both have', () => {
    const prompt = 'Formulário de reserva: nome, telefone, hora, comentários'
    expect(generateByRules('form', prompt)).toEqual(expect.stringContaining('in a language'))
  })
})
