import { english, type Kind, ofAny, spanish } from './kinds.ts'

/** What people apply or register for, or are taken in with. */
export const APPLICATIONS: Kind[] = [
  {
    named: {
      en: english(
        '(?:patient|medical|health|dental) (?:intake|history|questionnaire|registration)s?|new patients?|pre-?(?:visit|appointment) (?:form|flow|questionnaire)',
        'patient|patient information|patient details',
      ),
      es: spanish(
        '(?:historia|historial|ficha|antecedentes) (?:clinic|medic)\\w+|(?:ingreso|registro|admision) de (?:nuevos? )?pacientes?|nuevos? pacientes?',
        'pacientes?',
      ),
    },
    asks: {
      en: 'full name, date of birth, phone, email, reason for the visit, allergies (optional), current medications (optional)',
      es: 'nombre completo, fecha de nacimiento, teléfono, correo, motivo de la consulta, alergias (opcional), medicamentos actuales (opcional)',
    },
  },
  {
    named: {
      en: english(
        '(?:client|customer) (?:intake|onboarding)|onboard(?:ing)? (?:new )?(?:clients|customers)|new (?:client|customer) (?:form|flow|intake|onboarding)',
      ),
      es: spanish('(?:alta|ingreso|registro) de (?:nuevos? )?clientes?'),
    },
    ofAny: ofAny('intake|onboarding', 'altas?'),
    asks: {
      en: 'name, company (optional), email, phone, what do you need?',
      es: 'nombre, empresa (opcional), correo, teléfono, ¿qué necesita?',
    },
  },
  {
    named: {
      en: english(
        '(?:pet|dog|cat|animal|puppy|kitten) adoptions?|adopt(?:ing)? an? (?:pet|dog|cat|animal)s?',
        'adoption',
      ),
      es: spanish(
        'adop(?:tar|cion(?:es)?) (?:de |una? |la )*(?:mascotas?|perros?|gatos?|animal(?:es)?)',
        'adopci(?:on|ones)',
      ),
    },
    asks: {
      en: 'full name, phone, email, address, do you have other pets? (yes, no), why do you want to adopt?',
      es: 'nombre completo, teléfono, correo, dirección, ¿tiene otras mascotas? (sí, no), ¿por qué quiere adoptar?',
    },
  },
  {
    named: {
      en: english(
        '(?:loan|mortgage|credit|financing|credit card) (?:application|request|pre-?approval|enquiry|inquiry)s?|apply(?:ing)? for (?:an? |the )?(?:\\w+ )?(?:loan|mortgage|credit)s?',
        'loan|mortgage|financing',
      ),
      es: spanish(
        '(?:solicit|ped)\\w+ (?:de |un |el )*(?:prestamos?|creditos?|hipotecas?|financiamiento|financiacion)',
        'prestamos?|creditos?|hipotecas?',
      ),
    },
    asks: {
      en: 'full name, email, phone, date of birth, monthly income, loan amount, purpose of the loan',
      es: 'nombre completo, correo, teléfono, fecha de nacimiento, ingresos mensuales, monto del préstamo, destino del préstamo',
    },
  },
  {
    named: {
      en: english(
        '(?:employee|staff|new hire|new joiner) (?:onboarding|information|details|registration)|new (?:employee|hire)s?|onboard(?:ing)? (?:new )?(?:employees|staff|drivers|couriers|riders|workers|team members)',
      ),
      es: spanish(
        '(?:alta|ingreso|registro|incorporacion|datos) de(?:l)? (?:nuevos? )?(?:empleados?|personal|trabajador(?:es)?|colaborador(?:es)?)|nuevos? empleados?',
      ),
    },
    asks: {
      en: 'full name, date of birth, address, phone, email, start date, emergency contact name, emergency contact phone',
      es: 'nombre completo, fecha de nacimiento, dirección, teléfono, correo, fecha de inicio, nombre del contacto de emergencia, teléfono del contacto de emergencia',
    },
  },
  {
    named: {
      en: english(
        '(?:school|student|kindergarten|nursery|preschool|daycare) (?:admission|enrol?lment|registration|application)s?',
        'admissions?',
      ),
      es: spanish(
        '(?:inscripci(?:on|ones)|matriculas?|admisi(?:on|ones)) (?:escolar(?:es)?|de (?:alumnos?|estudiantes?|ninos?)|al? (?:el |la )?(?:colegio|escuela|jardin))',
        'admisi(?:on|ones)|matricula',
      ),
    },
    asks: {
      en: 'student name, date of birth, grade, parent name, phone, email',
      es: 'nombre del alumno, fecha de nacimiento, grado, nombre del tutor, teléfono, correo',
    },
  },
  {
    named: {
      en: english(
        '(?:course|class|bootcamp|program(?:me)?|college|university) (?:enrol?lment|registration|sign[ -]?up|application|admission)s?|enrol(?:l|ling)? (?:in|on|for) (?:an? |the |our )?(?:\\w+ )?(?:course|class|program)\\w*',
        'course|enrol?lment',
      ),
      es: spanish(
        'inscri(?:birse|pcion|pciones) (?:a |al |en |de |del |para )*(?:el |la |los |las |un |una |nuestros? )?(?:cursos?|clases?|diplomados?|carreras?)',
        'cursos?',
      ),
    },
    asks: { en: 'name, email, phone, course', es: 'nombre, correo, teléfono, curso' },
  },
  {
    named: {
      en: english(
        'volunteer(?:s|ing)? (?:\\w+ )?(?:form|flow|applications?|registrations?|sign[ -]?ups?)|(?:recruit|find|register|sign up)(?:ing)? (?:new )?volunteers|become an? volunteer',
        'volunteer',
      ),
      es: spanish('ser voluntari[oa]s?|registro de voluntari[oa]s', 'voluntari(?:o|a|os|as|ado)'),
    },
    asks: {
      en: 'name, email, phone, availability, why do you want to volunteer? (optional)',
      es: 'nombre, correo, teléfono, disponibilidad, ¿por qué quiere ser voluntario? (opcional)',
    },
  },
  {
    named: {
      en: english(
        '(?:vendor|supplier|partner|reseller|distributor|dealer|affiliate|wholesale|franchise) (?:registration|application|onboarding|enquiry|inquiry|request|sign[ -]?up)s?|becom(?:e|ing) an? (?:vendor|supplier|partner|reseller|distributor|dealer|affiliate|franchisee)',
        'vendor|supplier|partner|reseller|distributor|dealer|affiliate|wholesale|franchise',
      ),
      es: spanish(
        '(?:registro|alta) de (?:nuevos? )?(?:proveedor|distribuidor|revendedor|mayorista|franquicia)(?:e?s)?',
        'proveedor(?:es)?|distribuidor(?:es)?|mayoristas?|franquicias?',
      ),
    },
    asks: {
      en: 'company name, contact person, email, phone, products or services offered, website (optional)',
      es: 'nombre de la empresa, persona de contacto, correo, teléfono, productos o servicios, sitio web (opcional)',
    },
  },
  {
    named: {
      en: english('(?:rental|tenant|tenancy|lease) applications?', 'tenant'),
      es: spanish('solicitud de (?:alquiler|arriendo|arrendamiento)', 'inquilinos?'),
    },
    asks: {
      en: 'full name, phone, email, current address, monthly income, move-in date',
      es: 'nombre completo, teléfono, correo, dirección actual, ingresos mensuales, fecha de mudanza',
    },
  },
  {
    named: {
      en: english(
        'kyc|know your customer|(?:identity|id|age|account) verification|verify(?:ing)? (?:an? |the |your |their )?(?:identity|account)',
      ),
      es: spanish('verific(?:ar|acion) (?:de |la |su )*(?:identidad|cuenta|edad)|kyc'),
    },
    asks: {
      en: 'full name, date of birth, ID number, photo of the ID',
      es: 'nombre completo, fecha de nacimiento, número de documento, foto del documento',
    },
  },
  {
    named: {
      en: english(
        'visitors? (?:to )?(?:check[ -]?in|registration|sign[ -]?in|pass)|(?:check|sign)(?:ing)?[ -]in visitors',
        'visitor',
      ),
      es: spanish(
        'registro de visitas?|(?:registr|ingres)\\w+ (?:de )?visitantes',
        'visitas?|visitantes?',
      ),
    },
    asks: {
      en: 'full name, company (optional), phone, who are you visiting?, reason for the visit',
      es: 'nombre completo, empresa (opcional), teléfono, ¿a quién visita?, motivo de la visita',
    },
  },
  {
    named: {
      en: english(
        'permission slips?|(?:parents?|parental) (?:to )?(?:authori[sz]e|authori[sz]ation|permission|consent)',
        'permission|authori[sz]ation',
      ),
      es: spanish(
        'autori[cz](?:ar|acion(?:es)?|an|en) (?:de |a |la |el |una? |los )*(?:excursi(?:on|ones)|salidas?|paseos?|padres)|permiso de (?:los )?padres',
        'autorizaci(?:on|ones)',
      ),
    },
    asks: {
      en: 'student name, parent name, phone, consent to take part',
      es: 'nombre del alumno, nombre del padre o tutor, teléfono, autorizo la participación',
    },
  },
  {
    named: {
      en: english('emergency contacts?', 'emergency'),
      es: spanish('contactos? de emergencia', 'emergencia'),
    },
    asks: {
      en: 'your name, emergency contact name, relationship, emergency contact phone',
      es: 'su nombre, nombre del contacto de emergencia, parentesco, teléfono del contacto de emergencia',
    },
  },
  {
    named: {
      en: english(
        '(?:customer|personal|client|user|member|guest) (?:information|details|data|info|profile)|(?:new )?(?:customer|client) registrations?',
      ),
      es: spanish(
        'datos (?:personales|de contacto|del? (?:los )?(?:cliente|usuario|huesped)\\w*)|alta de usuarios?',
      ),
    },
    asks: {
      en: 'full name, email, phone, address (optional)',
      es: 'nombre completo, correo, teléfono, dirección (opcional)',
    },
  },
]
