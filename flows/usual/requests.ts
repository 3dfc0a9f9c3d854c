import { english, type Kind, spanish } from './kinds.ts'

/** What customers, members of a team or neighbours ask for, give or report. */
export const REQUESTS: Kind[] = [
  {
    named: {
      en: english(
        '(?:real estate|property|house|apartment|home) (?:enquir(?:y|ies)|inquir(?:y|ies)|search)',
        'real estate|property',
      ),
      es: spanish(
        'consultas? (?:inmobiliarias?|(?:de|sobre) (?:inmuebles?|propiedad(?:es)?))',
        'inmuebles?|propiedad(?:es)?|bienes raices',
      ),
    },
    asks: {
      en: 'name, phone, email, are you buying or renting? (buying, renting), preferred location, budget, comments (optional)',
      es: 'nombre, teléfono, correo, ¿busca comprar o alquilar? (comprar, alquilar), ubicación preferida, presupuesto, comentarios (opcional)',
    },
  },
  {
    named: {
      en: english('insurance claims?|(?:accident|damage) claims?', 'insurance claim'),
      es: spanish(
        '(?:report|declar|avis)\\w+ (?:de |un |una |el )*(?:siniestro|accidente)s?|reclam\\w+ (?:de |al |a |del |la )*(?:seguro|aseguradora)',
        'siniestros?',
      ),
    },
    asks: {
      en: 'full name, policy number, phone, date of the incident, description of the incident, photos (optional)',
      es: 'nombre completo, número de póliza, teléfono, fecha del siniestro, descripción del siniestro, fotos (opcional)',
    },
  },
  {
    named: {
      en: english('warranty claims?'),
      es: spanish('reclam\\w+ (?:de |la |por )*garantia|hacer valer (?:la |una )?garantia'),
    },
    asks: {
      en: 'name, phone, product, serial number, date of purchase, description of the problem, photos (optional)',
      es: 'nombre, teléfono, producto, número de serie, fecha de compra, descripción del problema, fotos (opcional)',
    },
  },
  {
    named: {
      en: english(
        '(?:warranty|product|device) (?:registration|activation)s?|regist(?:er|ering) (?:an? |your |their |the )?(?:product|warranty|device)s?',
        'warranty',
      ),
      es: spanish(
        '(?:registr|activ)\\w+ (?:de |la |su |el |un )*(?:garantias?|productos?)',
        'garantias?',
      ),
    },
    asks: {
      en: 'name, email, phone, product, serial number, date of purchase',
      es: 'nombre, correo, teléfono, producto, número de serie, fecha de compra',
    },
  },
  {
    named: {
      en: english(
        '(?:leave|vacation|time[ -]off|pto|holiday|absence|day off) (?:request|application)s?|request(?:ing)? (?:an? )?(?:leave|time off|vacation|day off)',
        'leave|time[ -]off|sick leave',
      ),
      es: spanish(
        '(?:solicit|ped)\\w+ (?:de |un |una |mis |sus )*(?:vacaciones|permisos?|licencias?|ausencias?|dias? libres?)',
        'vacaciones|permisos?|ausencias?',
      ),
    },
    asks: {
      en: 'name, type of leave (vacation, sick leave, other), start date, end date, reason (optional)',
      es: 'nombre, tipo de permiso (vacaciones, enfermedad, otro), fecha de inicio, fecha de fin, motivo (opcional)',
    },
  },
  {
    named: {
      en: english(
        'expense (?:claim|report|reimbursement)s?|(?:expense|travel) reimbursements?',
        'expenses?|reimbursement',
      ),
      es: spanish(
        '(?:rendicion|reporte|reembolso|comprobacion|registro) de gastos|reportar (?:un )?gastos?',
        'gastos',
      ),
    },
    asks: {
      en: 'name, date of the expense, amount, description, photo of the receipt',
      es: 'nombre, fecha del gasto, monto, descripción, foto del recibo',
    },
  },
  {
    named: {
      en: english('refer(?:ring)? (?:an? |your |their )?friends?|referrals?', 'referral'),
      es: spanish(
        '(?:referir|recomendar) (?:a )?(?:un |una |tus )?amig\\w+|referidos',
        'referidos',
      ),
    },
    asks: {
      en: "your name, your friend's name, your friend's phone",
      es: 'su nombre, nombre de su amigo, teléfono de su amigo',
    },
  },
  {
    named: {
      en: english(
        'suggestions? box|(?:collect|gather|send|share|submit)\\w* (?:ideas|suggestions)',
        'suggestions?|ideas?',
      ),
      es: spanish('buzon de sugerencias|(?:enviar|recibir|dejar) sugerencias', 'sugerencias?'),
    },
    asks: { en: 'suggestion, name (optional)', es: 'sugerencia, nombre (opcional)' },
  },
  {
    named: {
      en: english(
        '(?:order|package|parcel|shipment|delivery) (?:status|tracking|lookup)|track(?:ing)? (?:an? |my |your |their |the )?(?:order|package|parcel|shipment|deliver(?:y|ie))s?|where is my order',
      ),
      es: spanish(
        '(?:estado|seguimiento|rastreo|rastrear) (?:de |del |un |su |mi |el )*(?:pedidos?|envios?|paquetes?)',
      ),
    },
    asks: { en: 'order number, phone', es: 'número de pedido, teléfono' },
  },
  {
    named: {
      en: english(
        'prescriptions? (?:refill|renewal|request)s?|refill(?:ing)? (?:an? )?prescriptions?',
        'prescription',
      ),
      es: spanish('recetas? medicas?|renov\\w+ (?:de |una |la )*recetas?', 'recetas?'),
    },
    asks: {
      en: 'full name, date of birth, phone, medication, photo of the prescription (optional)',
      es: 'nombre completo, fecha de nacimiento, teléfono, medicamento, foto de la receta (opcional)',
    },
  },
  {
    named: {
      en: english(
        '(?:make|collect|give|accept|take|receive)(?:ing)? (?:an? )?(?:donation|pledge)s?|donation pledges?',
        '(?<!\\b(?:blood|organ|hair|plasma) )donation|charity',
      ),
      es: spanish(
        '(?:hacer|recibir|recaudar|aceptar) (?:una |las )?(?:donaci(?:on|ones)|donativos?)',
        'donaci(?:on|ones)|donativos?',
      ),
    },
    asks: {
      en: 'name, email, donation amount, message (optional)',
      es: 'nombre, correo, monto de la donación, mensaje (opcional)',
    },
  },
  {
    named: {
      en: english('(?:log|sign)(?:ging|ing)?[ -]?in (?:form|flow|page|screen)', 'log-?in|sign-in'),
      es: spanish('iniciar sesion', 'inicio de sesion|login|acceso'),
    },
    asks: { en: 'email, password', es: 'correo, contraseña' },
  },
  {
    named: {
      en: english('checkout (?:form|flow|page|process)', 'checkout'),
      es: spanish('(?:finalizar|confirmar) (?:la |su )?compra', 'checkout|compra'),
    },
    asks: {
      en: 'name, phone, delivery address, payment method (cash, card), notes (optional)',
      es: 'nombre, teléfono, dirección de entrega, forma de pago (efectivo, tarjeta), notas (opcional)',
    },
  },
  {
    named: {
      en: english('invoice requests?|request(?:ing)? (?:an? )?invoices?', 'invoice|billing'),
      es: spanish(
        '(?:solicit|ped)\\w+ (?:de |la |una )*facturas?|datos de facturacion',
        'facturas?|facturacion',
      ),
    },
    asks: {
      en: 'company name, tax ID, email, billing address',
      es: 'razón social, número de identificación fiscal, correo, dirección de facturación',
    },
  },
  {
    named: {
      en: english(
        'bank(?:ing)? (?:account )?(?:details|information)|payout details',
        'bank account|payout',
      ),
      es: spanish('datos bancarios|cuenta bancaria', 'cuenta bancaria'),
    },
    asks: {
      en: 'account holder name, bank name, account number',
      es: 'nombre del titular, nombre del banco, número de cuenta',
    },
  },
  {
    named: {
      en: english(
        '(?:health|covid(?:[ -]19)?|symptom|wellness) (?:check|screening|declaration)s?',
        'symptoms?',
      ),
      es: spanish('(?:control|declaracion|chequeo) de (?:salud|sintomas)|covid', 'salud|sintomas'),
    },
    asks: {
      en: 'full name, do you have any symptoms? (yes, no), symptoms (optional)',
      es: 'nombre completo, ¿tiene algún síntoma? (sí, no), síntomas (opcional)',
    },
  },
]
