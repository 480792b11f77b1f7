BEGIN TRANSACTION;
CREATE TABLE actions (
    no INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    by TEXT NOT NULL,
    what TEXT NOT NULL,
    booking BLOB,
    subject TEXT NOT NULL
) STRICT;
CREATE TABLE bookings (
    no INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    show_no INTEGER NOT NULL REFERENCES shows (no),
    reference TEXT NOT NULL,
    status TEXT NOT NULL,
    channel TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    first_deadline_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    extended INTEGER NOT NULL,
    -- The number of the payment that confirmed it.
    paid_by INTEGER,
    due_at_ms INTEGER,
    customer_name TEXT,
    customer_email TEXT,
    customer_phone TEXT,
    customer_locale TEXT,
    terms TEXT NOT NULL,
    cancellations TEXT
) STRICT;
INSERT INTO "bookings" VALUES(1,X'0000000101A60A6219004448B58ED1AD',1,'7JFCJG20W','confirmed','web',1812650400000,1812651000000,1812651000000,1,1,1812653580000,'Anna','anna@example.org',NULL,NULL,'{"show":{"id":"show-1","starts_at":1812823200000,"screen":"markt-1","layout":{"id":"hall-1","version":1}},"seats":[{"no":66,"id":"F7","label":"F7","category":"Standard","ticket_type":"standard","face":{"amount":1250,"currency":"EUR"},"total":{"amount":1370,"currency":"EUR"},"discount":null,"tax":{"percent":"7","amount":{"amount":82,"currency":"EUR"}},"fees":[{"id":"booking-fee","amount":{"amount":120,"currency":"EUR"},"refundable":false,"tax":{"percent":"19","amount":{"amount":19,"currency":"EUR"}}}]},{"no":67,"id":"F8","label":"F8","category":"Standard","ticket_type":"standard","face":{"amount":1250,"currency":"EUR"},"total":{"amount":1370,"currency":"EUR"},"discount":null,"tax":{"percent":"7","amount":{"amount":82,"currency":"EUR"}},"fees":[{"id":"booking-fee","amount":{"amount":120,"currency":"EUR"},"refundable":false,"tax":{"percent":"19","amount":{"amount":19,"currency":"EUR"}}}]}],"price":{"lines":[{"kind":"ticket","label":"Standard","quantity":2,"amount":{"amount":2500,"currency":"EUR"}},{"kind":"fee","label":"Booking fee","quantity":2,"amount":{"amount":240,"currency":"EUR"}},{"kind":"tax","label":"7%","quantity":1,"amount":{"amount":164,"currency":"EUR"}},{"kind":"tax","label":"19%","quantity":1,"amount":{"amount":38,"currency":"EUR"}}],"total":{"amount":2740,"currency":"EUR"},"tax":{"amount":202,"currency":"EUR"},"refundable_fees":{"amount":0,"currency":"EUR"}},"refund_policy":{"id":"standard","tiers":[{"before":86400000,"percent":"100"},{"before":7200000,"percent":"50"}]},"late_payment":"reclaim","metadata":{}}',NULL);
INSERT INTO "bookings" VALUES(2,X'0000000101A60A621900339F183DD1B3',1,'FJ702S8G3','confirmed','web',1812650400000,1812651000000,1812651000000,1,1,1812653580000,'Anna','anna@example.org',NULL,NULL,'{"show":{"id":"show-1","starts_at":1812823200000,"screen":"markt-1","layout":{"id":"hall-1","version":1}},"seats":[{"no":0,"id":"A1","label":"A1","category":"Standard","ticket_type":"standard","face":{"amount":1250,"currency":"EUR"},"total":{"amount":1370,"currency":"EUR"},"discount":null,"tax":{"percent":"7","amount":{"amount":82,"currency":"EUR"}},"fees":[{"id":"booking-fee","amount":{"amount":120,"currency":"EUR"},"refundable":false,"tax":{"percent":"19","amount":{"amount":19,"currency":"EUR"}}}]},{"no":1,"id":"A2","label":"A2","category":"Standard","ticket_type":"standard","face":{"amount":1250,"currency":"EUR"},"total":{"amount":1370,"currency":"EUR"},"discount":null,"tax":{"percent":"7","amount":{"amount":82,"currency":"EUR"}},"fees":[{"id":"booking-fee","amount":{"amount":120,"currency":"EUR"},"refundable":false,"tax":{"percent":"19","amount":{"amount":19,"currency":"EUR"}}}]}],"price":{"lines":[{"kind":"ticket","label":"Standard","quantity":2,"amount":{"amount":2500,"currency":"EUR"}},{"kind":"fee","label":"Booking fee","quantity":2,"amount":{"amount":240,"currency":"EUR"}},{"kind":"tax","label":"7%","quantity":1,"amount":{"amount":164,"currency":"EUR"}},{"kind":"tax","label":"19%","quantity":1,"amount":{"amount":38,"currency":"EUR"}}],"total":{"amount":2740,"currency":"EUR"},"tax":{"amount":202,"currency":"EUR"},"refundable_fees":{"amount":0,"currency":"EUR"}},"refund_policy":{"id":"standard","tiers":[{"before":86400000,"percent":"100"},{"before":7200000,"percent":"50"}]},"late_payment":"reclaim","metadata":{}}','[{"at":1812650400000,"reason":"seat broken","amount":{"amount":1370,"currency":"EUR"},"kept":{"amount":0,"currency":"EUR"},"refund":1,"tickets":[1],"exchanged_for":null}]');
INSERT INTO "bookings" VALUES(3,X'0000000101A60A621900FFEFEA655504',1,'Z7CJTWF0H','cancelled','web',1812650400000,1812651000000,1812651000000,1,1,1812653580000,'Anna','anna@example.org',NULL,NULL,'{"show":{"id":"show-1","starts_at":1812823200000,"screen":"markt-1","layout":{"id":"hall-1","version":1}},"seats":[{"no":12,"id":"B1","label":"B1","category":"Standard","ticket_type":"standard","face":{"amount":1250,"currency":"EUR"},"total":{"amount":1370,"currency":"EUR"},"discount":null,"tax":{"percent":"7","amount":{"amount":82,"currency":"EUR"}},"fees":[{"id":"booking-fee","amount":{"amount":120,"currency":"EUR"},"refundable":false,"tax":{"percent":"19","amount":{"amount":19,"currency":"EUR"}}}]}],"price":{"lines":[{"kind":"ticket","label":"Standard","quantity":1,"amount":{"amount":1250,"currency":"EUR"}},{"kind":"fee","label":"Booking fee","quantity":1,"amount":{"amount":120,"currency":"EUR"}},{"kind":"tax","label":"7%","quantity":1,"amount":{"amount":82,"currency":"EUR"}},{"kind":"tax","label":"19%","quantity":1,"amount":{"amount":19,"currency":"EUR"}}],"total":{"amount":1370,"currency":"EUR"},"tax":{"amount":101,"currency":"EUR"},"refundable_fees":{"amount":0,"currency":"EUR"}},"refund_policy":{"id":"standard","tiers":[{"before":86400000,"percent":"100"},{"before":7200000,"percent":"50"}]},"late_payment":"reclaim","metadata":{}}','[{"at":1812650400000,"reason":null,"amount":{"amount":1250,"currency":"EUR"},"kept":{"amount":120,"currency":"EUR"},"refund":1,"tickets":[],"exchanged_for":null}]');
INSERT INTO "bookings" VALUES(4,X'0000000101A60A6219002F5B8B2AD573',1,'XNBV1WN0R','cancelled','web',1812650400000,1812651000000,1812651000000,0,NULL,NULL,'Anna','anna@example.org',NULL,NULL,'{"show":{"id":"show-1","starts_at":1812823200000,"screen":"markt-1","layout":{"id":"hall-1","version":1}},"seats":[{"no":24,"id":"C1","label":"C1","category":"Standard","ticket_type":"standard","face":{"amount":1250,"currency":"EUR"},"total":{"amount":1370,"currency":"EUR"},"discount":null,"tax":{"percent":"7","amount":{"amount":82,"currency":"EUR"}},"fees":[{"id":"booking-fee","amount":{"amount":120,"currency":"EUR"},"refundable":false,"tax":{"percent":"19","amount":{"amount":19,"currency":"EUR"}}}]}],"price":{"lines":[{"kind":"ticket","label":"Standard","quantity":1,"amount":{"amount":1250,"currency":"EUR"}},{"kind":"fee","label":"Booking fee","quantity":1,"amount":{"amount":120,"currency":"EUR"}},{"kind":"tax","label":"7%","quantity":1,"amount":{"amount":82,"currency":"EUR"}},{"kind":"tax","label":"19%","quantity":1,"amount":{"amount":19,"currency":"EUR"}}],"total":{"amount":1370,"currency":"EUR"},"tax":{"amount":101,"currency":"EUR"},"refundable_fees":{"amount":0,"currency":"EUR"}},"refund_policy":{"id":"standard","tiers":[{"before":86400000,"percent":"100"},{"before":7200000,"percent":"50"}]},"late_payment":"reclaim","metadata":{}}','[{"at":1812650400000,"reason":null,"amount":{"amount":0,"currency":"EUR"},"kept":{"amount":0,"currency":"EUR"},"refund":null,"tickets":[],"exchanged_for":null}]');
INSERT INTO "bookings" VALUES(5,X'0000000201A60A621900D31100A6373C',2,'7HRKY2KZF','confirmed','web',1812650400000,1812651000000,1812651000000,0,1,NULL,'Anna','anna@example.org',NULL,NULL,'{"show":{"id":"free","starts_at":1812809700000,"screen":"everest-1","layout":{"id":"small","version":1}},"seats":[{"no":0,"id":"A1","label":"A1","category":"Parkett","ticket_type":"standard","face":{"amount":0,"currency":"KWD"},"total":{"amount":0,"currency":"KWD"},"discount":null,"tax":{"percent":"7","amount":{"amount":0,"currency":"KWD"}},"fees":[]}],"price":{"lines":[{"kind":"ticket","label":"Parkett","quantity":1,"amount":{"amount":0,"currency":"KWD"}},{"kind":"tax","label":"7%","quantity":1,"amount":{"amount":0,"currency":"KWD"}}],"total":{"amount":0,"currency":"KWD"},"tax":{"amount":0,"currency":"KWD"},"refundable_fees":{"amount":0,"currency":"KWD"}},"refund_policy":{"id":"standard","tiers":[{"before":86400000,"percent":"100"},{"before":7200000,"percent":"50"}]},"late_payment":"reclaim","metadata":{}}',NULL);
INSERT INTO "bookings" VALUES(6,X'0000000301A60A621900A591BE4780B1',3,'Y6Z1KWT11','confirmed','web',1812650400000,1812651000000,1812651000000,1,1,1812653580000,'Anna','anna@example.org',NULL,NULL,'{"show":{"id":"dinar","starts_at":1812825000000,"screen":"everest-1","layout":{"id":"small","version":1}},"seats":[{"no":0,"id":"A1","label":"A1","category":"Parkett","ticket_type":"standard","face":{"amount":1255,"currency":"KWD"},"total":{"amount":1255,"currency":"KWD"},"discount":null,"tax":{"percent":"7","amount":{"amount":82,"currency":"KWD"}},"fees":[]},{"no":1,"id":"A2","label":"A2","category":"Parkett","ticket_type":"standard","face":{"amount":1255,"currency":"KWD"},"total":{"amount":1255,"currency":"KWD"},"discount":null,"tax":{"percent":"7","amount":{"amount":82,"currency":"KWD"}},"fees":[]}],"price":{"lines":[{"kind":"ticket","label":"Parkett","quantity":2,"amount":{"amount":2510,"currency":"KWD"}},{"kind":"tax","label":"7%","quantity":1,"amount":{"amount":164,"currency":"KWD"}}],"total":{"amount":2510,"currency":"KWD"},"tax":{"amount":164,"currency":"KWD"},"refundable_fees":{"amount":0,"currency":"KWD"}},"refund_policy":{"id":"standard","tiers":[{"before":86400000,"percent":"100"},{"before":7200000,"percent":"50"}]},"late_payment":"reclaim","metadata":{}}',NULL);
INSERT INTO "bookings" VALUES(7,X'0000000301A60A62190040F295977E17',3,'CKRS4VP1Y','cancelled','web',1812650400000,1812651000000,1812651000000,1,1,1812653580000,'Anna','anna@example.org',NULL,NULL,'{"show":{"id":"dinar","starts_at":1812825000000,"screen":"everest-1","layout":{"id":"small","version":1}},"seats":[{"no":2,"id":"A3","label":"A3","category":"Parkett","ticket_type":"standard","face":{"amount":1255,"currency":"KWD"},"total":{"amount":1255,"currency":"KWD"},"discount":null,"tax":{"percent":"7","amount":{"amount":82,"currency":"KWD"}},"fees":[]}],"price":{"lines":[{"kind":"ticket","label":"Parkett","quantity":1,"amount":{"amount":1255,"currency":"KWD"}},{"kind":"tax","label":"7%","quantity":1,"amount":{"amount":82,"currency":"KWD"}}],"total":{"amount":1255,"currency":"KWD"},"tax":{"amount":82,"currency":"KWD"},"refundable_fees":{"amount":0,"currency":"KWD"}},"refund_policy":{"id":"standard","tiers":[{"before":86400000,"percent":"100"},{"before":7200000,"percent":"50"}]},"late_payment":"reclaim","metadata":{}}','[{"at":1812650400000,"reason":null,"amount":{"amount":1255,"currency":"KWD"},"kept":{"amount":0,"currency":"KWD"},"refund":1,"tickets":[],"exchanged_for":null}]');
INSERT INTO "bookings" VALUES(8,X'0000000101A60A6219001534C718F19D',1,'6MH42NDP7','expired','web',1812650400000,1812651000000,1812651000000,1,NULL,1812651765000,'Anna','anna@example.org',NULL,NULL,'{"show":{"id":"show-1","starts_at":1812823200000,"screen":"markt-1","layout":{"id":"hall-1","version":1}},"seats":[{"no":36,"id":"D1","label":"D1","category":"Standard","ticket_type":"standard","face":{"amount":1250,"currency":"EUR"},"total":{"amount":1370,"currency":"EUR"},"discount":null,"tax":{"percent":"7","amount":{"amount":82,"currency":"EUR"}},"fees":[{"id":"booking-fee","amount":{"amount":120,"currency":"EUR"},"refundable":false,"tax":{"percent":"19","amount":{"amount":19,"currency":"EUR"}}}]}],"price":{"lines":[{"kind":"ticket","label":"Standard","quantity":1,"amount":{"amount":1250,"currency":"EUR"}},{"kind":"fee","label":"Booking fee","quantity":1,"amount":{"amount":120,"currency":"EUR"}},{"kind":"tax","label":"7%","quantity":1,"amount":{"amount":82,"currency":"EUR"}},{"kind":"tax","label":"19%","quantity":1,"amount":{"amount":19,"currency":"EUR"}}],"total":{"amount":1370,"currency":"EUR"},"tax":{"amount":101,"currency":"EUR"},"refundable_fees":{"amount":0,"currency":"EUR"}},"refund_policy":{"id":"standard","tiers":[{"before":86400000,"percent":"100"},{"before":7200000,"percent":"50"}]},"late_payment":"reclaim","metadata":{}}',NULL);
INSERT INTO "bookings" VALUES(9,X'0000000101A60A621900A0302AF8FA6F',1,'6W8G61STR','expired','web',1812650400000,1812651000000,1812651000000,0,NULL,NULL,'Anna','anna@example.org',NULL,NULL,'{"show":{"id":"show-1","starts_at":1812823200000,"screen":"markt-1","layout":{"id":"hall-1","version":1}},"seats":[{"no":48,"id":"E1","label":"E1","category":"Standard","ticket_type":"standard","face":{"amount":1250,"currency":"EUR"},"total":{"amount":1370,"currency":"EUR"},"discount":null,"tax":{"percent":"7","amount":{"amount":82,"currency":"EUR"}},"fees":[{"id":"booking-fee","amount":{"amount":120,"currency":"EUR"},"refundable":false,"tax":{"percent":"19","amount":{"amount":19,"currency":"EUR"}}}]}],"price":{"lines":[{"kind":"ticket","label":"Standard","quantity":1,"amount":{"amount":1250,"currency":"EUR"}},{"kind":"fee","label":"Booking fee","quantity":1,"amount":{"amount":120,"currency":"EUR"}},{"kind":"tax","label":"7%","quantity":1,"amount":{"amount":82,"currency":"EUR"}},{"kind":"tax","label":"19%","quantity":1,"amount":{"amount":19,"currency":"EUR"}}],"total":{"amount":1370,"currency":"EUR"},"tax":{"amount":101,"currency":"EUR"},"refundable_fees":{"amount":0,"currency":"EUR"}},"refund_policy":{"id":"standard","tiers":[{"before":86400000,"percent":"100"},{"before":7200000,"percent":"50"}]},"late_payment":"reclaim","metadata":{}}',NULL);
INSERT INTO "bookings" VALUES(10,X'0000000101A60A7468803413EA72C407',1,'7275XJCB6','pending_payment','web',1812651600000,1812652200000,1812652200000,0,NULL,1812652200000,'Anna','anna@example.org',NULL,NULL,'{"show":{"id":"show-1","starts_at":1812823200000,"screen":"markt-1","layout":{"id":"hall-1","version":1}},"seats":[{"no":72,"id":"G1","label":"G1","category":"Standard","ticket_type":"standard","face":{"amount":1250,"currency":"EUR"},"total":{"amount":1370,"currency":"EUR"},"discount":null,"tax":{"percent":"7","amount":{"amount":82,"currency":"EUR"}},"fees":[{"id":"booking-fee","amount":{"amount":120,"currency":"EUR"},"refundable":false,"tax":{"percent":"19","amount":{"amount":19,"currency":"EUR"}}}]},{"no":73,"id":"G2","label":"G2","category":"Standard","ticket_type":"standard","face":{"amount":1250,"currency":"EUR"},"total":{"amount":1370,"currency":"EUR"},"discount":null,"tax":{"percent":"7","amount":{"amount":82,"currency":"EUR"}},"fees":[{"id":"booking-fee","amount":{"amount":120,"currency":"EUR"},"refundable":false,"tax":{"percent":"19","amount":{"amount":19,"currency":"EUR"}}}]}],"price":{"lines":[{"kind":"ticket","label":"Standard","quantity":2,"amount":{"amount":2500,"currency":"EUR"}},{"kind":"fee","label":"Booking fee","quantity":2,"amount":{"amount":240,"currency":"EUR"}},{"kind":"tax","label":"7%","quantity":1,"amount":{"amount":164,"currency":"EUR"}},{"kind":"tax","label":"19%","quantity":1,"amount":{"amount":38,"currency":"EUR"}}],"total":{"amount":2740,"currency":"EUR"},"tax":{"amount":202,"currency":"EUR"},"refundable_fees":{"amount":0,"currency":"EUR"}},"refund_policy":{"id":"standard","tiers":[{"before":86400000,"percent":"100"},{"before":7200000,"percent":"50"}]},"late_payment":"reclaim","metadata":{}}',NULL);
INSERT INTO "bookings" VALUES(11,X'0000000101A60A7468803D64EA96EC1D',1,'DJXK78F92','pending_payment','web',1812651600000,1812652200000,1812652200000,1,NULL,1812651630000,'Anna','anna@example.org',NULL,NULL,'{"show":{"id":"show-1","starts_at":1812823200000,"screen":"markt-1","layout":{"id":"hall-1","version":1}},"seats":[{"no":84,"id":"H1","label":"H1","category":"Standard","ticket_type":"standard","face":{"amount":1250,"currency":"EUR"},"total":{"amount":1370,"currency":"EUR"},"discount":null,"tax":{"percent":"7","amount":{"amount":82,"currency":"EUR"}},"fees":[{"id":"booking-fee","amount":{"amount":120,"currency":"EUR"},"refundable":false,"tax":{"percent":"19","amount":{"amount":19,"currency":"EUR"}}}]}],"price":{"lines":[{"kind":"ticket","label":"Standard","quantity":1,"amount":{"amount":1250,"currency":"EUR"}},{"kind":"fee","label":"Booking fee","quantity":1,"amount":{"amount":120,"currency":"EUR"}},{"kind":"tax","label":"7%","quantity":1,"amount":{"amount":82,"currency":"EUR"}},{"kind":"tax","label":"19%","quantity":1,"amount":{"amount":19,"currency":"EUR"}}],"total":{"amount":1370,"currency":"EUR"},"tax":{"amount":101,"currency":"EUR"},"refundable_fees":{"amount":0,"currency":"EUR"}},"refund_policy":{"id":"standard","tiers":[{"before":86400000,"percent":"100"},{"before":7200000,"percent":"50"}]},"late_payment":"reclaim","metadata":{}}',NULL);
CREATE TABLE catalogue (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT;
INSERT INTO "catalogue" VALUES('theatre','kino-am-markt','{"id":"kino-am-markt","name":"Kino am Markt","city":"Berlin","country":"DE","timezone":"Europe/Berlin","currency":"EUR","address":null,"business_day_starts":"05:00:00","cleaning":900000,"trailers":1200000}');
INSERT INTO "catalogue" VALUES('theatre','everest','{"id":"everest","name":"एभरेस्ट","city":"Kathmandu","country":"NP","timezone":"Asia/Kathmandu","currency":"KWD","address":null,"business_day_starts":"05:00:00","cleaning":900000,"trailers":1200000}');
INSERT INTO "catalogue" VALUES('screen','markt-1','{"id":"markt-1","theatre":"kino-am-markt","name":"Hall 1","layout":"hall-1"}');
INSERT INTO "catalogue" VALUES('screen','everest-1','{"id":"everest-1","theatre":"everest","name":"1","layout":"small"}');
INSERT INTO "catalogue" VALUES('movie','night-train','{"id":"night-train","title":"Night Train to Lindau","language":"de","runtime_min":118,"certificates":{"DE":{"label":"FSK 12","min_age":12}},"ids":{}}');
INSERT INTO "catalogue" VALUES('tax','cinema','{"id":"cinema","included":true,"rates":[{"from":null,"up_to":null,"percent":"7"}]}');
INSERT INTO "catalogue" VALUES('tax','service','{"id":"service","included":true,"rates":[{"from":null,"up_to":null,"percent":"19"}]}');
INSERT INTO "catalogue" VALUES('fee','booking-fee','{"id":"booking-fee","name":"Booking fee","per":"ticket","rate":{"amount":"1.20"},"tax":"service","refundable":false,"cap_per_booking":null,"channels":[]}');
INSERT INTO "catalogue" VALUES('price_list','regular','{"id":"regular","currency":"EUR","tax":"cinema","prices":{"Standard":{"standard":{"amount":1250,"currency":"EUR"}}},"cards":[],"surcharges":[],"fees":["booking-fee"]}');
INSERT INTO "catalogue" VALUES('price_list','free','{"id":"free","currency":"KWD","tax":"cinema","prices":{"Parkett":{"standard":{"amount":0,"currency":"KWD"}}},"cards":[],"surcharges":[],"fees":[]}');
INSERT INTO "catalogue" VALUES('price_list','dinar','{"id":"dinar","currency":"KWD","tax":"cinema","prices":{"Parkett":{"standard":{"amount":1255,"currency":"KWD"}}},"cards":[],"surcharges":[],"fees":[]}');
INSERT INTO "catalogue" VALUES('refund_policy','standard','{"id":"standard","tiers":[{"before":86400000,"percent":"100"},{"before":7200000,"percent":"50"}]}');
CREATE TABLE claims (
    show_no INTEGER NOT NULL,
    seat_no INTEGER NOT NULL,
    state TEXT NOT NULL,
    booking BLOB,
    until_ms INTEGER,
    PRIMARY KEY (show_no, seat_no)
) STRICT, WITHOUT ROWID;
INSERT INTO "claims" VALUES(1,1,'sold',X'0000000101A60A621900339F183DD1B3',NULL);
INSERT INTO "claims" VALUES(1,66,'sold',X'0000000101A60A6219004448B58ED1AD',NULL);
INSERT INTO "claims" VALUES(1,67,'sold',X'0000000101A60A6219004448B58ED1AD',NULL);
INSERT INTO "claims" VALUES(1,72,'held',X'0000000101A60A7468803413EA72C407',1812652200000);
INSERT INTO "claims" VALUES(1,73,'held',X'0000000101A60A7468803413EA72C407',1812652200000);
INSERT INTO "claims" VALUES(1,84,'held',X'0000000101A60A7468803D64EA96EC1D',1812652200000);
INSERT INTO "claims" VALUES(1,119,'blocked',NULL,NULL);
INSERT INTO "claims" VALUES(2,0,'sold',X'0000000201A60A621900D31100A6373C',NULL);
INSERT INTO "claims" VALUES(3,0,'sold',X'0000000301A60A621900A591BE4780B1',NULL);
INSERT INTO "claims" VALUES(3,1,'sold',X'0000000301A60A621900A591BE4780B1',NULL);
CREATE TABLE deleted_layouts (
    id TEXT PRIMARY KEY,
    version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE documents (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (kind, key)
) STRICT;
CREATE TABLE events (
    show_no INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    booking BLOB,
    kind TEXT NOT NULL,
    detail TEXT,
    PRIMARY KEY (show_no, seq)
) STRICT, WITHOUT ROWID;
INSERT INTO "events" VALUES(1,1,1812650400000,X'0000000101A60A6219004448B58ED1AD','held',NULL);
INSERT INTO "events" VALUES(1,2,1812650400000,X'0000000101A60A6219004448B58ED1AD','payment_started','{"attempt":1}');
INSERT INTO "events" VALUES(1,3,1812650400000,X'0000000101A60A6219004448B58ED1AD','checkout_opened','{"attempt":1}');
INSERT INTO "events" VALUES(1,4,1812650400000,X'0000000101A60A6219004448B58ED1AD','payment_succeeded','{"attempt":1}');
INSERT INTO "events" VALUES(1,5,1812650400000,X'0000000101A60A6219004448B58ED1AD','confirmed','{"attempt":1}');
INSERT INTO "events" VALUES(1,6,1812650400000,X'0000000101A60A621900339F183DD1B3','held',NULL);
INSERT INTO "events" VALUES(1,7,1812650400000,X'0000000101A60A621900339F183DD1B3','payment_started','{"attempt":1}');
INSERT INTO "events" VALUES(1,8,1812650400000,X'0000000101A60A621900339F183DD1B3','checkout_opened','{"attempt":1}');
INSERT INTO "events" VALUES(1,9,1812650400000,X'0000000101A60A621900339F183DD1B3','payment_succeeded','{"attempt":1}');
INSERT INTO "events" VALUES(1,10,1812650400000,X'0000000101A60A621900339F183DD1B3','confirmed','{"attempt":1}');
INSERT INTO "events" VALUES(1,11,1812650400000,X'0000000101A60A621900FFEFEA655504','held',NULL);
INSERT INTO "events" VALUES(1,12,1812650400000,X'0000000101A60A621900FFEFEA655504','payment_started','{"attempt":1}');
INSERT INTO "events" VALUES(1,13,1812650400000,X'0000000101A60A621900FFEFEA655504','checkout_opened','{"attempt":1}');
INSERT INTO "events" VALUES(1,14,1812650400000,X'0000000101A60A621900FFEFEA655504','payment_succeeded','{"attempt":1}');
INSERT INTO "events" VALUES(1,15,1812650400000,X'0000000101A60A621900FFEFEA655504','confirmed','{"attempt":1}');
INSERT INTO "events" VALUES(1,16,1812650400000,X'0000000101A60A621900FFEFEA655504','cancelled',NULL);
INSERT INTO "events" VALUES(1,17,1812650400000,X'0000000101A60A621900FFEFEA655504','refund_requested','{"refund":1}');
INSERT INTO "events" VALUES(1,18,1812650400000,X'0000000101A60A6219002F5B8B2AD573','held',NULL);
INSERT INTO "events" VALUES(1,19,1812650400000,X'0000000101A60A621900FFEFEA655504','refund_answered','{"refund":1}');
INSERT INTO "events" VALUES(1,20,1812650400000,X'0000000101A60A6219002F5B8B2AD573','cancelled',NULL);
INSERT INTO "events" VALUES(1,21,1812650400000,X'0000000101A60A621900339F183DD1B3','notice_withheld','{"notice":1}');
INSERT INTO "events" VALUES(1,22,1812650400000,X'0000000101A60A6219004448B58ED1AD','notice_withheld','{"notice":1}');
INSERT INTO "events" VALUES(1,23,1812650400000,X'0000000101A60A621900FFEFEA655504','notice_withheld','{"notice":1}');
INSERT INTO "events" VALUES(1,24,1812650400000,X'0000000101A60A621900FFEFEA655504','notice_withheld','{"notice":2}');
INSERT INTO "events" VALUES(1,25,1812650400000,X'0000000101A60A6219001534C718F19D','held',NULL);
INSERT INTO "events" VALUES(1,26,1812650400000,X'0000000101A60A6219001534C718F19D','payment_started','{"attempt":1}');
INSERT INTO "events" VALUES(1,27,1812650400000,X'0000000101A60A6219001534C718F19D','checkout_opened','{"attempt":1}');
INSERT INTO "events" VALUES(1,28,1812650400000,X'0000000101A60A6219001534C718F19D','payment_declined','{"attempt":1}');
INSERT INTO "events" VALUES(1,29,1812650400000,X'0000000101A60A621900339F183DD1B3','tickets_cancelled','{"tickets":[1]}');
INSERT INTO "events" VALUES(1,30,1812650400000,X'0000000101A60A621900339F183DD1B3','refund_requested','{"refund":1}');
INSERT INTO "events" VALUES(1,31,1812650400000,X'0000000101A60A6219004448B58ED1AD','refund_requested','{"refund":1}');
INSERT INTO "events" VALUES(1,32,1812650400000,X'0000000101A60A621900339F183DD1B3','refund_answered','{"refund":1}');
INSERT INTO "events" VALUES(1,33,1812650400000,NULL,'blocked','{"note":{"by":"166e83124bd4","reason":"broken"},"seats":["K12"],"until":null}');
INSERT INTO "events" VALUES(1,34,1812650400000,X'0000000101A60A621900A0302AF8FA6F','held',NULL);
INSERT INTO "events" VALUES(1,35,1812650400000,X'0000000101A60A6219004448B58ED1AD','refund_answered','{"refund":1}');
INSERT INTO "events" VALUES(1,36,1812651600000,X'0000000101A60A621900A0302AF8FA6F','expired',NULL);
INSERT INTO "events" VALUES(1,37,1812651600000,X'0000000101A60A6219001534C718F19D','expired',NULL);
INSERT INTO "events" VALUES(1,38,1812651600000,X'0000000101A60A621900339F183DD1B3','notice_withheld','{"notice":2}');
INSERT INTO "events" VALUES(1,39,1812651600000,X'0000000101A60A6219004448B58ED1AD','notice_withheld','{"notice":2}');
INSERT INTO "events" VALUES(1,40,1812651600000,X'0000000101A60A7468803413EA72C407','held',NULL);
INSERT INTO "events" VALUES(1,41,1812651600000,X'0000000101A60A7468803D64EA96EC1D','held',NULL);
INSERT INTO "events" VALUES(1,42,1812651600000,X'0000000101A60A7468803D64EA96EC1D','payment_started','{"attempt":1}');
INSERT INTO "events" VALUES(1,43,1812651600000,X'0000000101A60A7468803D64EA96EC1D','checkout_opened','{"attempt":1}');
INSERT INTO "events" VALUES(2,1,1812650400000,X'0000000201A60A621900D31100A6373C','held',NULL);
INSERT INTO "events" VALUES(2,2,1812650400000,X'0000000201A60A621900D31100A6373C','confirmed','{"attempt":1}');
INSERT INTO "events" VALUES(2,3,1812650400000,X'0000000201A60A621900D31100A6373C','notice_withheld','{"notice":1}');
INSERT INTO "events" VALUES(3,1,1812650400000,X'0000000301A60A621900A591BE4780B1','held',NULL);
INSERT INTO "events" VALUES(3,2,1812650400000,X'0000000301A60A621900A591BE4780B1','payment_started','{"attempt":1}');
INSERT INTO "events" VALUES(3,3,1812650400000,X'0000000301A60A621900A591BE4780B1','checkout_opened','{"attempt":1}');
INSERT INTO "events" VALUES(3,4,1812650400000,X'0000000301A60A621900A591BE4780B1','payment_succeeded','{"attempt":1}');
INSERT INTO "events" VALUES(3,5,1812650400000,X'0000000301A60A621900A591BE4780B1','confirmed','{"attempt":1}');
INSERT INTO "events" VALUES(3,6,1812650400000,X'0000000301A60A62190040F295977E17','held',NULL);
INSERT INTO "events" VALUES(3,7,1812650400000,X'0000000301A60A62190040F295977E17','payment_started','{"attempt":1}');
INSERT INTO "events" VALUES(3,8,1812650400000,X'0000000301A60A62190040F295977E17','checkout_opened','{"attempt":1}');
INSERT INTO "events" VALUES(3,9,1812650400000,X'0000000301A60A62190040F295977E17','payment_succeeded','{"attempt":1}');
INSERT INTO "events" VALUES(3,10,1812650400000,X'0000000301A60A62190040F295977E17','confirmed','{"attempt":1}');
INSERT INTO "events" VALUES(3,11,1812650400000,X'0000000301A60A62190040F295977E17','cancelled',NULL);
INSERT INTO "events" VALUES(3,12,1812650400000,X'0000000301A60A62190040F295977E17','refund_requested','{"refund":1}');
INSERT INTO "events" VALUES(3,13,1812650400000,X'0000000301A60A62190040F295977E17','refund_answered','{"refund":1}');
INSERT INTO "events" VALUES(3,14,1812651600000,X'0000000301A60A621900A591BE4780B1','notice_withheld','{"notice":1}');
INSERT INTO "events" VALUES(3,15,1812651600000,X'0000000301A60A62190040F295977E17','notice_withheld','{"notice":1}');
INSERT INTO "events" VALUES(3,16,1812651600000,X'0000000301A60A62190040F295977E17','notice_withheld','{"notice":2}');
CREATE TABLE idempotency (
    no INTEGER PRIMARY KEY,
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    at_ms INTEGER NOT NULL,
    -- NULL while the request's last step is still to come.
    outcome TEXT,
    UNIQUE (scope, key)
) STRICT;
INSERT INTO "idempotency" VALUES(1,'anonymous','a-key-that-is-kept-for-the-test-1',X'5E745927730569A676F1B784C8B001EA88FBFD695CDD3E78E999E497433324FC',1812650400000,'{"at":1812650400000,"booking":{"id":"00000081mr5646808h4bb3phnm","reference":"7JFCJG20W","status":"pending_payment","channel":"web","show":{"id":"show-1","starts_at":1812823200000,"screen":"markt-1","layout":{"id":"hall-1","version":1}},"seats":[{"no":66,"id":"F7","label":"F7","category":"Standard","ticket_type":"standard","face":{"amount":1250,"currency":"EUR"},"total":{"amount":1370,"currency":"EUR"},"discount":null,"tax":{"percent":"7","amount":{"amount":82,"currency":"EUR"}},"fees":[{"id":"booking-fee","amount":{"amount":120,"currency":"EUR"},"refundable":false,"tax":{"percent":"19","amount":{"amount":19,"currency":"EUR"}}}]},{"no":67,"id":"F8","label":"F8","category":"Standard","ticket_type":"standard","face":{"amount":1250,"currency":"EUR"},"total":{"amount":1370,"currency":"EUR"},"discount":null,"tax":{"percent":"7","amount":{"amount":82,"currency":"EUR"}},"fees":[{"id":"booking-fee","amount":{"amount":120,"currency":"EUR"},"refundable":false,"tax":{"percent":"19","amount":{"amount":19,"currency":"EUR"}}}]}],"price":{"lines":[{"kind":"ticket","label":"Standard","quantity":2,"amount":{"amount":2500,"currency":"EUR"}},{"kind":"fee","label":"Booking fee","quantity":2,"amount":{"amount":240,"currency":"EUR"}},{"kind":"tax","label":"7%","quantity":1,"amount":{"amount":164,"currency":"EUR"}},{"kind":"tax","label":"19%","quantity":1,"amount":{"amount":38,"currency":"EUR"}}],"total":{"amount":2740,"currency":"EUR"},"tax":{"amount":202,"currency":"EUR"},"refundable_fees":{"amount":0,"currency":"EUR"}},"refund_policy":{"id":"standard","tiers":[{"before":86400000,"percent":"100"},{"before":7200000,"percent":"50"}]},"late_payment":"reclaim","customer":{"name":"Anna","email":"anna@example.org","phone":null,"locale":null},"metadata":{},"created_at":1812650400000,"first_deadline":1812651000000,"expires_at":1812651000000,"extended":false,"paid_by":null,"attempts":[],"refunds":[],"tickets":[],"cancellations":[],"notices":[],"promo":null,"told":null,"replaces":null},"effect":"Held"}');
INSERT INTO "idempotency" VALUES(2,'booking:00000081mr564680zzqymsan0g','cancel-key-that-is-kept-0001',X'CACFA18339E22D95BB32E670AC54833C9F760BC34D30477CDC2B9F82F2B29068',1812650400000,'{"at":1812650400000,"booking":{"id":"00000081mr564680zzqymsan0g","reference":"Z7CJTWF0H","status":"cancelled","channel":"web","show":{"id":"show-1","starts_at":1812823200000,"screen":"markt-1","layout":{"id":"hall-1","version":1}},"seats":[{"no":12,"id":"B1","label":"B1","category":"Standard","ticket_type":"standard","face":{"amount":1250,"currency":"EUR"},"total":{"amount":1370,"currency":"EUR"},"discount":null,"tax":{"percent":"7","amount":{"amount":82,"currency":"EUR"}},"fees":[{"id":"booking-fee","amount":{"amount":120,"currency":"EUR"},"refundable":false,"tax":{"percent":"19","amount":{"amount":19,"currency":"EUR"}}}]}],"price":{"lines":[{"kind":"ticket","label":"Standard","quantity":1,"amount":{"amount":1250,"currency":"EUR"}},{"kind":"fee","label":"Booking fee","quantity":1,"amount":{"amount":120,"currency":"EUR"}},{"kind":"tax","label":"7%","quantity":1,"amount":{"amount":82,"currency":"EUR"}},{"kind":"tax","label":"19%","quantity":1,"amount":{"amount":19,"currency":"EUR"}}],"total":{"amount":1370,"currency":"EUR"},"tax":{"amount":101,"currency":"EUR"},"refundable_fees":{"amount":0,"currency":"EUR"}},"refund_policy":{"id":"standard","tiers":[{"before":86400000,"percent":"100"},{"before":7200000,"percent":"50"}]},"late_payment":"reclaim","customer":{"name":"Anna","email":"anna@example.org","phone":null,"locale":null},"metadata":{},"created_at":1812650400000,"first_deadline":1812651000000,"expires_at":1812651000000,"extended":true,"paid_by":1,"attempts":[{"id":"00000081mr564680zzqymsan0g-1","gateway":"sandbox","status":"succeeded","amount":{"amount":1370,"currency":"EUR"},"payment_id":"pay_vtss3eltqq7rb6emekhk54fv","checkout_url":"http://127.0.0.1:37401/sandbox/pay/pay_vtss3eltqq7rb6emekhk54fv","return_url":"http://127.0.0.1:37401/return/sacb5lmgmkdwipgxzvmlxtmel3qowhwq","returned":false,"second_on":null,"checkout_ends_at":1812650940000,"started_at":1812650400000,"captured":{"amount":1370,"currency":"EUR"},"closed":true,"ask_at":1812651000000,"dispute":null,"moved_from":null}],"refunds":[{"id":"00000081mr564680zzqymsan0g-1","attempt":1,"amount":{"amount":1250,"currency":"EUR"},"reason":"cancelled","status":"requested","provider_refund_id":null,"requested_at":1812650400000,"tries":0,"next_try_at":1812650400000,"shares":[{"ticket":1,"amount":{"amount":1250,"currency":"EUR"}}],"by_staff":null,"moved_to":null,"dispute_told":null}],"tickets":[{"id":"00000081mr564680zzqymsan0g-1","seat":12,"label":"B1","ticket_type":"standard","status":"void","void_reason":"cancelled","serial":1,"holder":null,"scans":[]}],"cancellations":[{"at":1812650400000,"reason":null,"amount":{"amount":1250,"currency":"EUR"},"kept":{"amount":120,"currency":"EUR"},"refund":1,"tickets":[],"exchanged_for":null}],"notices":[{"id":"00000081mr564680zzqymsan0g-1","kind":"tickets","status":"due","made_at":1812650400000,"due_since":1812650400000,"resends":0,"tries":0,"next_try_at":1812650400000,"sent_at":null,"links_only":false,"last_error":null},{"id":"00000081mr564680zzqymsan0g-2","kind":{"refunded":{"refund":1}},"status":"due","made_at":1812650400000,"due_since":1812650400000,"resends":0,"tries":0,"next_try_at":1812650400000,"sent_at":null,"links_only":false,"last_error":null}],"promo":null,"told":null,"replaces":null},"effect":{"Cancelled":{"cancellation":0}}}');
CREATE TABLE layouts (
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (id, version)
) STRICT;
INSERT INTO "layouts" VALUES('hall-1',1,'{"id":"hall-1","version":1,"categories":[{"key":"S","name":"Standard"}],"seats":[{"id":"A1","label":"A1","row":"A","number":"1","zone":null,"x":0,"y":0,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":1},{"id":"A2","label":"A2","row":"A","number":"2","zone":null,"x":1,"y":0,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":2},{"id":"A3","label":"A3","row":"A","number":"3","zone":null,"x":2,"y":0,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":3},{"id":"A4","label":"A4","row":"A","number":"4","zone":null,"x":3,"y":0,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"A5","label":"A5","row":"A","number":"5","zone":null,"x":5,"y":0,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":5},{"id":"A6","label":"A6","row":"A","number":"6","zone":null,"x":6,"y":0,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":6},{"id":"A7","label":"A7","row":"A","number":"7","zone":null,"x":7,"y":0,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":7},{"id":"A8","label":"A8","row":"A","number":"8","zone":null,"x":8,"y":0,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"A9","label":"A9","row":"A","number":"9","zone":null,"x":10,"y":0,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":9},{"id":"A10","label":"A10","row":"A","number":"10","zone":null,"x":11,"y":0,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":10},{"id":"A11","label":"A11","row":"A","number":"11","zone":null,"x":12,"y":0,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":11},{"id":"A12","label":"A12","row":"A","number":"12","zone":null,"x":13,"y":0,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"B1","label":"B1","row":"B","number":"1","zone":null,"x":0,"y":1,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":13},{"id":"B2","label":"B2","row":"B","number":"2","zone":null,"x":1,"y":1,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":14},{"id":"B3","label":"B3","row":"B","number":"3","zone":null,"x":2,"y":1,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":15},{"id":"B4","label":"B4","row":"B","number":"4","zone":null,"x":3,"y":1,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"B5","label":"B5","row":"B","number":"5","zone":null,"x":5,"y":1,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":17},{"id":"B6","label":"B6","row":"B","number":"6","zone":null,"x":6,"y":1,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":18},{"id":"B7","label":"B7","row":"B","number":"7","zone":null,"x":7,"y":1,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":19},{"id":"B8","label":"B8","row":"B","number":"8","zone":null,"x":8,"y":1,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"B9","label":"B9","row":"B","number":"9","zone":null,"x":10,"y":1,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":21},{"id":"B10","label":"B10","row":"B","number":"10","zone":null,"x":11,"y":1,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":22},{"id":"B11","label":"B11","row":"B","number":"11","zone":null,"x":12,"y":1,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":23},{"id":"B12","label":"B12","row":"B","number":"12","zone":null,"x":13,"y":1,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"C1","label":"C1","row":"C","number":"1","zone":null,"x":0,"y":2,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":25},{"id":"C2","label":"C2","row":"C","number":"2","zone":null,"x":1,"y":2,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":26},{"id":"C3","label":"C3","row":"C","number":"3","zone":null,"x":2,"y":2,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":27},{"id":"C4","label":"C4","row":"C","number":"4","zone":null,"x":3,"y":2,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"C5","label":"C5","row":"C","number":"5","zone":null,"x":5,"y":2,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":29},{"id":"C6","label":"C6","row":"C","number":"6","zone":null,"x":6,"y":2,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":30},{"id":"C7","label":"C7","row":"C","number":"7","zone":null,"x":7,"y":2,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":31},{"id":"C8","label":"C8","row":"C","number":"8","zone":null,"x":8,"y":2,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"C9","label":"C9","row":"C","number":"9","zone":null,"x":10,"y":2,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":33},{"id":"C10","label":"C10","row":"C","number":"10","zone":null,"x":11,"y":2,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":34},{"id":"C11","label":"C11","row":"C","number":"11","zone":null,"x":12,"y":2,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":35},{"id":"C12","label":"C12","row":"C","number":"12","zone":null,"x":13,"y":2,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"D1","label":"D1","row":"D","number":"1","zone":null,"x":0,"y":3,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":37},{"id":"D2","label":"D2","row":"D","number":"2","zone":null,"x":1,"y":3,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":38},{"id":"D3","label":"D3","row":"D","number":"3","zone":null,"x":2,"y":3,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":39},{"id":"D4","label":"D4","row":"D","number":"4","zone":null,"x":3,"y":3,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"D5","label":"D5","row":"D","number":"5","zone":null,"x":5,"y":3,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":41},{"id":"D6","label":"D6","row":"D","number":"6","zone":null,"x":6,"y":3,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":42},{"id":"D7","label":"D7","row":"D","number":"7","zone":null,"x":7,"y":3,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":43},{"id":"D8","label":"D8","row":"D","number":"8","zone":null,"x":8,"y":3,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"D9","label":"D9","row":"D","number":"9","zone":null,"x":10,"y":3,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":45},{"id":"D10","label":"D10","row":"D","number":"10","zone":null,"x":11,"y":3,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":46},{"id":"D11","label":"D11","row":"D","number":"11","zone":null,"x":12,"y":3,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":47},{"id":"D12","label":"D12","row":"D","number":"12","zone":null,"x":13,"y":3,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"E1","label":"E1","row":"E","number":"1","zone":null,"x":0,"y":4,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":49},{"id":"E2","label":"E2","row":"E","number":"2","zone":null,"x":1,"y":4,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":50},{"id":"E3","label":"E3","row":"E","number":"3","zone":null,"x":2,"y":4,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":51},{"id":"E4","label":"E4","row":"E","number":"4","zone":null,"x":3,"y":4,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"E5","label":"E5","row":"E","number":"5","zone":null,"x":5,"y":4,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":53},{"id":"E6","label":"E6","row":"E","number":"6","zone":null,"x":6,"y":4,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":54},{"id":"E7","label":"E7","row":"E","number":"7","zone":null,"x":7,"y":4,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":55},{"id":"E8","label":"E8","row":"E","number":"8","zone":null,"x":8,"y":4,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"E9","label":"E9","row":"E","number":"9","zone":null,"x":10,"y":4,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":57},{"id":"E10","label":"E10","row":"E","number":"10","zone":null,"x":11,"y":4,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":58},{"id":"E11","label":"E11","row":"E","number":"11","zone":null,"x":12,"y":4,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":59},{"id":"E12","label":"E12","row":"E","number":"12","zone":null,"x":13,"y":4,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"F1","label":"F1","row":"F","number":"1","zone":null,"x":0,"y":5,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":61},{"id":"F2","label":"F2","row":"F","number":"2","zone":null,"x":1,"y":5,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":62},{"id":"F3","label":"F3","row":"F","number":"3","zone":null,"x":2,"y":5,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":63},{"id":"F4","label":"F4","row":"F","number":"4","zone":null,"x":3,"y":5,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"F5","label":"F5","row":"F","number":"5","zone":null,"x":5,"y":5,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":65},{"id":"F6","label":"F6","row":"F","number":"6","zone":null,"x":6,"y":5,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":66},{"id":"F7","label":"F7","row":"F","number":"7","zone":null,"x":7,"y":5,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":67},{"id":"F8","label":"F8","row":"F","number":"8","zone":null,"x":8,"y":5,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"F9","label":"F9","row":"F","number":"9","zone":null,"x":10,"y":5,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":69},{"id":"F10","label":"F10","row":"F","number":"10","zone":null,"x":11,"y":5,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":70},{"id":"F11","label":"F11","row":"F","number":"11","zone":null,"x":12,"y":5,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":71},{"id":"F12","label":"F12","row":"F","number":"12","zone":null,"x":13,"y":5,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"G1","label":"G1","row":"G","number":"1","zone":null,"x":0,"y":6,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":73},{"id":"G2","label":"G2","row":"G","number":"2","zone":null,"x":1,"y":6,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":74},{"id":"G3","label":"G3","row":"G","number":"3","zone":null,"x":2,"y":6,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":75},{"id":"G4","label":"G4","row":"G","number":"4","zone":null,"x":3,"y":6,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"G5","label":"G5","row":"G","number":"5","zone":null,"x":5,"y":6,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":77},{"id":"G6","label":"G6","row":"G","number":"6","zone":null,"x":6,"y":6,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":78},{"id":"G7","label":"G7","row":"G","number":"7","zone":null,"x":7,"y":6,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":79},{"id":"G8","label":"G8","row":"G","number":"8","zone":null,"x":8,"y":6,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"G9","label":"G9","row":"G","number":"9","zone":null,"x":10,"y":6,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":81},{"id":"G10","label":"G10","row":"G","number":"10","zone":null,"x":11,"y":6,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":82},{"id":"G11","label":"G11","row":"G","number":"11","zone":null,"x":12,"y":6,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":83},{"id":"G12","label":"G12","row":"G","number":"12","zone":null,"x":13,"y":6,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"H1","label":"H1","row":"H","number":"1","zone":null,"x":0,"y":7,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":85},{"id":"H2","label":"H2","row":"H","number":"2","zone":null,"x":1,"y":7,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":86},{"id":"H3","label":"H3","row":"H","number":"3","zone":null,"x":2,"y":7,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":87},{"id":"H4","label":"H4","row":"H","number":"4","zone":null,"x":3,"y":7,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"H5","label":"H5","row":"H","number":"5","zone":null,"x":5,"y":7,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":89},{"id":"H6","label":"H6","row":"H","number":"6","zone":null,"x":6,"y":7,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":90},{"id":"H7","label":"H7","row":"H","number":"7","zone":null,"x":7,"y":7,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":91},{"id":"H8","label":"H8","row":"H","number":"8","zone":null,"x":8,"y":7,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"H9","label":"H9","row":"H","number":"9","zone":null,"x":10,"y":7,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":93},{"id":"H10","label":"H10","row":"H","number":"10","zone":null,"x":11,"y":7,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":94},{"id":"H11","label":"H11","row":"H","number":"11","zone":null,"x":12,"y":7,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":95},{"id":"H12","label":"H12","row":"H","number":"12","zone":null,"x":13,"y":7,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"J1","label":"J1","row":"J","number":"1","zone":null,"x":0,"y":8,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":97},{"id":"J2","label":"J2","row":"J","number":"2","zone":null,"x":1,"y":8,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":98},{"id":"J3","label":"J3","row":"J","number":"3","zone":null,"x":2,"y":8,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":99},{"id":"J4","label":"J4","row":"J","number":"4","zone":null,"x":3,"y":8,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"J5","label":"J5","row":"J","number":"5","zone":null,"x":5,"y":8,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":101},{"id":"J6","label":"J6","row":"J","number":"6","zone":null,"x":6,"y":8,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":102},{"id":"J7","label":"J7","row":"J","number":"7","zone":null,"x":7,"y":8,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":103},{"id":"J8","label":"J8","row":"J","number":"8","zone":null,"x":8,"y":8,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"J9","label":"J9","row":"J","number":"9","zone":null,"x":10,"y":8,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":105},{"id":"J10","label":"J10","row":"J","number":"10","zone":null,"x":11,"y":8,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":106},{"id":"J11","label":"J11","row":"J","number":"11","zone":null,"x":12,"y":8,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":107},{"id":"J12","label":"J12","row":"J","number":"12","zone":null,"x":13,"y":8,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"K1","label":"K1","row":"K","number":"1","zone":null,"x":0,"y":9,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":109},{"id":"K2","label":"K2","row":"K","number":"2","zone":null,"x":1,"y":9,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":110},{"id":"K3","label":"K3","row":"K","number":"3","zone":null,"x":2,"y":9,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":111},{"id":"K4","label":"K4","row":"K","number":"4","zone":null,"x":3,"y":9,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"K5","label":"K5","row":"K","number":"5","zone":null,"x":5,"y":9,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":113},{"id":"K6","label":"K6","row":"K","number":"6","zone":null,"x":6,"y":9,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":114},{"id":"K7","label":"K7","row":"K","number":"7","zone":null,"x":7,"y":9,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":115},{"id":"K8","label":"K8","row":"K","number":"8","zone":null,"x":8,"y":9,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null},{"id":"K9","label":"K9","row":"K","number":"9","zone":null,"x":10,"y":9,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":117},{"id":"K10","label":"K10","row":"K","number":"10","zone":null,"x":11,"y":9,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":118},{"id":"K11","label":"K11","row":"K","number":"11","zone":null,"x":12,"y":9,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":119},{"id":"K12","label":"K12","row":"K","number":"12","zone":null,"x":13,"y":9,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null}]}');
INSERT INTO "layouts" VALUES('small',1,'{"id":"small","version":1,"categories":[{"key":"P","name":"Parkett"}],"seats":[{"id":"A1","label":"A1","row":"A","number":"1","zone":null,"x":0,"y":0,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":1},{"id":"A2","label":"A2","row":"A","number":"2","zone":null,"x":1,"y":0,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":2},{"id":"A3","label":"A3","row":"A","number":"3","zone":null,"x":2,"y":0,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":3},{"id":"A4","label":"A4","row":"A","number":"4","zone":null,"x":3,"y":0,"category":0,"wheelchair":false,"group":null,"companion_of":null,"right":null}]}');
CREATE TABLE ledger (
    show_no INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    booking BLOB NOT NULL REFERENCES bookings (id),
    account TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (show_no, seq, booking, account, currency)
) STRICT, WITHOUT ROWID;
INSERT INTO "ledger" VALUES(1,5,X'0000000101A60A6219004448B58ED1AD','fees','EUR',-202,1812650400000);
INSERT INTO "ledger" VALUES(1,5,X'0000000101A60A6219004448B58ED1AD','gateway:sandbox','EUR',2740,1812650400000);
INSERT INTO "ledger" VALUES(1,5,X'0000000101A60A6219004448B58ED1AD','tax:19','EUR',-38,1812650400000);
INSERT INTO "ledger" VALUES(1,5,X'0000000101A60A6219004448B58ED1AD','tax:7','EUR',-164,1812650400000);
INSERT INTO "ledger" VALUES(1,5,X'0000000101A60A6219004448B58ED1AD','tickets','EUR',-2336,1812650400000);
INSERT INTO "ledger" VALUES(1,10,X'0000000101A60A621900339F183DD1B3','fees','EUR',-202,1812650400000);
INSERT INTO "ledger" VALUES(1,10,X'0000000101A60A621900339F183DD1B3','gateway:sandbox','EUR',2740,1812650400000);
INSERT INTO "ledger" VALUES(1,10,X'0000000101A60A621900339F183DD1B3','tax:19','EUR',-38,1812650400000);
INSERT INTO "ledger" VALUES(1,10,X'0000000101A60A621900339F183DD1B3','tax:7','EUR',-164,1812650400000);
INSERT INTO "ledger" VALUES(1,10,X'0000000101A60A621900339F183DD1B3','tickets','EUR',-2336,1812650400000);
INSERT INTO "ledger" VALUES(1,15,X'0000000101A60A621900FFEFEA655504','fees','EUR',-101,1812650400000);
INSERT INTO "ledger" VALUES(1,15,X'0000000101A60A621900FFEFEA655504','gateway:sandbox','EUR',1370,1812650400000);
INSERT INTO "ledger" VALUES(1,15,X'0000000101A60A621900FFEFEA655504','tax:19','EUR',-19,1812650400000);
INSERT INTO "ledger" VALUES(1,15,X'0000000101A60A621900FFEFEA655504','tax:7','EUR',-82,1812650400000);
INSERT INTO "ledger" VALUES(1,15,X'0000000101A60A621900FFEFEA655504','tickets','EUR',-1168,1812650400000);
INSERT INTO "ledger" VALUES(1,17,X'0000000101A60A621900FFEFEA655504','refunds_payable','EUR',-1250,1812650400000);
INSERT INTO "ledger" VALUES(1,17,X'0000000101A60A621900FFEFEA655504','tax:7','EUR',82,1812650400000);
INSERT INTO "ledger" VALUES(1,17,X'0000000101A60A621900FFEFEA655504','tickets','EUR',1168,1812650400000);
INSERT INTO "ledger" VALUES(1,19,X'0000000101A60A621900FFEFEA655504','gateway:sandbox','EUR',-1250,1812650400000);
INSERT INTO "ledger" VALUES(1,19,X'0000000101A60A621900FFEFEA655504','refunds_payable','EUR',1250,1812650400000);
INSERT INTO "ledger" VALUES(1,30,X'0000000101A60A621900339F183DD1B3','fees','EUR',101,1812650400000);
INSERT INTO "ledger" VALUES(1,30,X'0000000101A60A621900339F183DD1B3','refunds_payable','EUR',-1370,1812650400000);
INSERT INTO "ledger" VALUES(1,30,X'0000000101A60A621900339F183DD1B3','tax:19','EUR',19,1812650400000);
INSERT INTO "ledger" VALUES(1,30,X'0000000101A60A621900339F183DD1B3','tax:7','EUR',82,1812650400000);
INSERT INTO "ledger" VALUES(1,30,X'0000000101A60A621900339F183DD1B3','tickets','EUR',1168,1812650400000);
INSERT INTO "ledger" VALUES(1,31,X'0000000101A60A6219004448B58ED1AD','goodwill','EUR',100,1812650400000);
INSERT INTO "ledger" VALUES(1,31,X'0000000101A60A6219004448B58ED1AD','refunds_payable','EUR',-100,1812650400000);
INSERT INTO "ledger" VALUES(1,32,X'0000000101A60A621900339F183DD1B3','gateway:sandbox','EUR',-1370,1812650400000);
INSERT INTO "ledger" VALUES(1,32,X'0000000101A60A621900339F183DD1B3','refunds_payable','EUR',1370,1812650400000);
INSERT INTO "ledger" VALUES(1,35,X'0000000101A60A6219004448B58ED1AD','gateway:sandbox','EUR',-100,1812650400000);
INSERT INTO "ledger" VALUES(1,35,X'0000000101A60A6219004448B58ED1AD','refunds_payable','EUR',100,1812650400000);
INSERT INTO "ledger" VALUES(3,5,X'0000000301A60A621900A591BE4780B1','gateway:sandbox','KWD',2510,1812650400000);
INSERT INTO "ledger" VALUES(3,5,X'0000000301A60A621900A591BE4780B1','tax:7','KWD',-164,1812650400000);
INSERT INTO "ledger" VALUES(3,5,X'0000000301A60A621900A591BE4780B1','tickets','KWD',-2346,1812650400000);
INSERT INTO "ledger" VALUES(3,10,X'0000000301A60A62190040F295977E17','gateway:sandbox','KWD',1255,1812650400000);
INSERT INTO "ledger" VALUES(3,10,X'0000000301A60A62190040F295977E17','tax:7','KWD',-82,1812650400000);
INSERT INTO "ledger" VALUES(3,10,X'0000000301A60A62190040F295977E17','tickets','KWD',-1173,1812650400000);
INSERT INTO "ledger" VALUES(3,12,X'0000000301A60A62190040F295977E17','refunds_payable','KWD',-1255,1812650400000);
INSERT INTO "ledger" VALUES(3,12,X'0000000301A60A62190040F295977E17','tax:7','KWD',82,1812650400000);
INSERT INTO "ledger" VALUES(3,12,X'0000000301A60A62190040F295977E17','tickets','KWD',1173,1812650400000);
INSERT INTO "ledger" VALUES(3,13,X'0000000301A60A62190040F295977E17','gateway:sandbox','KWD',-1255,1812650400000);
INSERT INTO "ledger" VALUES(3,13,X'0000000301A60A62190040F295977E17','refunds_payable','KWD',1255,1812650400000);
CREATE TABLE meta (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    epoch INTEGER NOT NULL,
    catalogue_version INTEGER NOT NULL,
    clock_version INTEGER NOT NULL,
    clock_offset_ms INTEGER NOT NULL,
    clock_frozen_at_ms INTEGER
, ledger_opened INTEGER NOT NULL DEFAULT 0, last_show INTEGER NOT NULL DEFAULT 0, newest_at_ms INTEGER NOT NULL DEFAULT 0, sales_closed_at_ms INTEGER) STRICT;
INSERT INTO "meta" VALUES(1,1796104677029,1,2,16546922429,1812651600000,1,0,1812651600000,NULL);
CREATE TABLE migrations (
            no INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at_ms INTEGER NOT NULL
        ) STRICT;
INSERT INTO "migrations" VALUES(1,'start','b34cdb0aa83391614f72d5e00d9b560e27ce3179832fba74b80bb27417689305',1796104677029);
INSERT INTO "migrations" VALUES(2,'money_back_and_the_door','b8c5b2a286d9d4f8fe9f7c1a3258ca06ad15dfee45e8be24a356e1df2e81a2a7',1796104677029);
INSERT INTO "migrations" VALUES(3,'exchanges','da0d3b27c8a91b693d6c517ede9906e428e26aa8eb42e6d6191c2781195ce4b4',1796104677029);
INSERT INTO "migrations" VALUES(4,'deleting','45341ccbefc30ab6a8f278261c107ae103a9548caca161f1554575e1f20a651a',1796104677029);
INSERT INTO "migrations" VALUES(5,'newest','51509486cd1e98f51ff5af96cfb235e3ab79fc930f49a6d70fa36b99f8f4d1cd',1796104677029);
INSERT INTO "migrations" VALUES(6,'staff_and_persons','36f65e64fd53500a8104d81e6206cefc7aadea85d4afbe9bb8f14692caee83c3',1796104677029);
INSERT INTO "migrations" VALUES(7,'closed_sales','ebf46d15db3feb8a09258cc66c0e63238a88d88ba9390c3fd201278832900a8e',1796104677029);
CREATE TABLE notices (
    booking BLOB NOT NULL REFERENCES bookings (id),
    no INTEGER NOT NULL,
    kind TEXT NOT NULL,
    -- JSON: the kind with all that it carries.
    detail TEXT NOT NULL,
    status TEXT NOT NULL,
    made_at_ms INTEGER NOT NULL,
    due_since_ms INTEGER NOT NULL,
    resends INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    next_try_at_ms INTEGER,
    sent_at_ms INTEGER,
    links_only INTEGER NOT NULL,
    last_error TEXT,
    PRIMARY KEY (booking, no)
) STRICT, WITHOUT ROWID;
INSERT INTO "notices" VALUES(X'0000000101A60A621900339F183DD1B3',1,'tickets','"tickets"','withheld',1812650400000,1812650400000,0,1,NULL,NULL,0,NULL);
INSERT INTO "notices" VALUES(X'0000000101A60A621900339F183DD1B3',2,'refunded','{"refunded":{"refund":1}}','withheld',1812650400000,1812650400000,0,1,NULL,NULL,0,NULL);
INSERT INTO "notices" VALUES(X'0000000101A60A6219004448B58ED1AD',1,'tickets','"tickets"','withheld',1812650400000,1812650400000,0,1,NULL,NULL,0,NULL);
INSERT INTO "notices" VALUES(X'0000000101A60A6219004448B58ED1AD',2,'refunded','{"refunded":{"refund":1}}','withheld',1812650400000,1812650400000,0,1,NULL,NULL,0,NULL);
INSERT INTO "notices" VALUES(X'0000000101A60A621900FFEFEA655504',1,'tickets','"tickets"','withheld',1812650400000,1812650400000,0,1,NULL,NULL,0,NULL);
INSERT INTO "notices" VALUES(X'0000000101A60A621900FFEFEA655504',2,'refunded','{"refunded":{"refund":1}}','withheld',1812650400000,1812650400000,0,1,NULL,NULL,0,NULL);
INSERT INTO "notices" VALUES(X'0000000201A60A621900D31100A6373C',1,'tickets','"tickets"','withheld',1812650400000,1812650400000,0,1,NULL,NULL,0,NULL);
INSERT INTO "notices" VALUES(X'0000000301A60A62190040F295977E17',1,'tickets','"tickets"','withheld',1812650400000,1812650400000,0,1,NULL,NULL,0,NULL);
INSERT INTO "notices" VALUES(X'0000000301A60A62190040F295977E17',2,'refunded','{"refunded":{"refund":1}}','withheld',1812650400000,1812650400000,0,1,NULL,NULL,0,NULL);
INSERT INTO "notices" VALUES(X'0000000301A60A621900A591BE4780B1',1,'tickets','"tickets"','withheld',1812650400000,1812650400000,0,1,NULL,NULL,0,NULL);
CREATE TABLE orphans (
    gateway TEXT NOT NULL,
    payment_id TEXT NOT NULL,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    seen_at_ms INTEGER NOT NULL,
    PRIMARY KEY (gateway, payment_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE payments (
    booking BLOB NOT NULL REFERENCES bookings (id),
    no INTEGER NOT NULL,
    gateway TEXT NOT NULL,
    payment_id TEXT,
    status TEXT NOT NULL,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    captured INTEGER,
    captured_currency TEXT,
    checkout_url TEXT,
    return_url TEXT NOT NULL,
    returned INTEGER NOT NULL,
    -- The attempt on whose page this money came as a second payment.
    second_on INTEGER,
    checkout_ends_at_ms INTEGER NOT NULL,
    started_at_ms INTEGER NOT NULL,
    closed INTEGER NOT NULL,
    ask_at_ms INTEGER, dispute TEXT, dispute_lost INTEGER, moved_from TEXT,
    PRIMARY KEY (booking, no)
) STRICT, WITHOUT ROWID;
INSERT INTO "payments" VALUES(X'0000000101A60A6219001534C718F19D',1,'sandbox','pay_ahzxyghcqlwhyhpwnw6xqas3','declined',1370,'EUR',NULL,NULL,'http://127.0.0.1:37401/sandbox/pay/pay_ahzxyghcqlwhyhpwnw6xqas3','http://127.0.0.1:37401/return/mbahfbyst4zimlwmy465wan2szfjj4ls',0,NULL,1812650940000,1812650400000,1,1812651765000,NULL,NULL,NULL);
INSERT INTO "payments" VALUES(X'0000000101A60A621900339F183DD1B3',1,'sandbox','pay_emv3df2slsj5hxicb5ahhbgb','succeeded',2740,'EUR',2740,'EUR','http://127.0.0.1:37401/sandbox/pay/pay_emv3df2slsj5hxicb5ahhbgb','http://127.0.0.1:37401/return/77z7kyqwkteetfrtullqrjixsrnqlmzu',0,NULL,1812650940000,1812650400000,1,1812653580000,NULL,NULL,NULL);
INSERT INTO "payments" VALUES(X'0000000101A60A6219004448B58ED1AD',1,'sandbox','pay_tdnqjjyf4ruxhiunughe5zwe','succeeded',2740,'EUR',2740,'EUR','http://127.0.0.1:37401/sandbox/pay/pay_tdnqjjyf4ruxhiunughe5zwe','http://127.0.0.1:37401/return/2nu6hvgngdtutxfcoco3pdm46wtvjbdp',0,NULL,1812650940000,1812650400000,1,1812653580000,NULL,NULL,NULL);
INSERT INTO "payments" VALUES(X'0000000101A60A621900FFEFEA655504',1,'sandbox','pay_vtss3eltqq7rb6emekhk54fv','succeeded',1370,'EUR',1370,'EUR','http://127.0.0.1:37401/sandbox/pay/pay_vtss3eltqq7rb6emekhk54fv','http://127.0.0.1:37401/return/sacb5lmgmkdwipgxzvmlxtmel3qowhwq',0,NULL,1812650940000,1812650400000,1,1812653580000,NULL,NULL,NULL);
INSERT INTO "payments" VALUES(X'0000000101A60A7468803D64EA96EC1D',1,'sandbox','pay_idws2k6lygcssyzfgo27r4fh','started',1370,'EUR',NULL,NULL,'http://127.0.0.1:37401/sandbox/pay/pay_idws2k6lygcssyzfgo27r4fh','http://127.0.0.1:37401/return/g6hzflfhtxmtg4haw3g62eg2ixlj5hu2',0,NULL,1812652140000,1812651600000,0,1812651630000,NULL,NULL,NULL);
INSERT INTO "payments" VALUES(X'0000000201A60A621900D31100A6373C',1,'sandbox',NULL,'succeeded',0,'KWD',0,'KWD',NULL,'',0,NULL,1812650400000,1812650400000,1,NULL,NULL,NULL,NULL);
INSERT INTO "payments" VALUES(X'0000000301A60A62190040F295977E17',1,'sandbox','pay_n7pp6kod6txwpfkxwacoesi4','succeeded',1255,'KWD',1255,'KWD','http://127.0.0.1:37401/sandbox/pay/pay_n7pp6kod6txwpfkxwacoesi4','http://127.0.0.1:37401/return/qzdvkxcpc2aqxpwialrjzzp6folbxqds',0,NULL,1812650940000,1812650400000,1,1812653580000,NULL,NULL,NULL);
INSERT INTO "payments" VALUES(X'0000000301A60A621900A591BE4780B1',1,'sandbox','pay_66wv36qhlf7dxx4u3koso4ht','succeeded',2510,'KWD',2510,'KWD','http://127.0.0.1:37401/sandbox/pay/pay_66wv36qhlf7dxx4u3koso4ht','http://127.0.0.1:37401/return/ortlbngm7jhmcrkgjl5qsjf2jkg6ex7p',0,NULL,1812650940000,1812650400000,1,1812653580000,NULL,NULL,NULL);
CREATE TABLE promo_uses (
    code TEXT NOT NULL,
    booking BLOB NOT NULL REFERENCES bookings (id),
    customer TEXT,
    discount INTEGER NOT NULL,
    until_ms INTEGER,
    PRIMARY KEY (code, booking)
) STRICT, WITHOUT ROWID;
CREATE TABLE refunds (
    booking BLOB NOT NULL REFERENCES bookings (id),
    no INTEGER NOT NULL,
    payment INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    reason TEXT NOT NULL,
    status TEXT NOT NULL,
    provider_refund_id TEXT,
    requested_at_ms INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    next_try_at_ms INTEGER, shares TEXT, by_staff TEXT, moved_to TEXT, dispute_told TEXT,
    PRIMARY KEY (booking, no),
    FOREIGN KEY (booking, payment) REFERENCES payments (booking, no)
) STRICT, WITHOUT ROWID;
INSERT INTO "refunds" VALUES(X'0000000101A60A621900339F183DD1B3',1,1,1370,'EUR','staff','succeeded','re_3klepjlb5vlontiofvoqo56t',1812650400000,1,NULL,'[{"ticket":1,"amount":{"amount":1370,"currency":"EUR"}}]','{"reason":"seat broken","by":"166e83124bd4"}',NULL,NULL);
INSERT INTO "refunds" VALUES(X'0000000101A60A6219004448B58ED1AD',1,1,100,'EUR','goodwill','succeeded','re_jdk42uk6vid3if57eaylvqgu',1812650400000,1,NULL,'[{"ticket":1,"amount":{"amount":50,"currency":"EUR"}},{"ticket":2,"amount":{"amount":50,"currency":"EUR"}}]','{"reason":"popcorn","by":"166e83124bd4"}',NULL,NULL);
INSERT INTO "refunds" VALUES(X'0000000101A60A621900FFEFEA655504',1,1,1250,'EUR','cancelled','succeeded','re_dowavkq2clq6ef4zvjzo4b2s',1812650400000,1,NULL,'[{"ticket":1,"amount":{"amount":1250,"currency":"EUR"}}]',NULL,NULL,NULL);
INSERT INTO "refunds" VALUES(X'0000000301A60A62190040F295977E17',1,1,1255,'KWD','cancelled','succeeded','re_mdb3mmannjxw7k3qgwfzeeib',1812650400000,1,NULL,'[{"ticket":1,"amount":{"amount":1255,"currency":"KWD"}}]',NULL,NULL,NULL);
CREATE TABLE shows (
    no INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    theatre TEXT NOT NULL,
    screen TEXT NOT NULL,
    movie TEXT NOT NULL,
    starts_at_ms INTEGER NOT NULL,
    business_day TEXT NOT NULL,
    layout_id TEXT NOT NULL,
    layout_version INTEGER NOT NULL,
    version_floor INTEGER NOT NULL DEFAULT 0,
    body TEXT NOT NULL, changes INTEGER NOT NULL DEFAULT 0, followed INTEGER NOT NULL DEFAULT 0,
    FOREIGN KEY (layout_id, layout_version) REFERENCES layouts (id, version)
) STRICT;
INSERT INTO "shows" VALUES(1,'show-1','kino-am-markt','markt-1','night-train',1812823200000,'2027-06-12','hall-1',1,0,'{"id":"show-1","movie":"night-train","screen":"markt-1","starts_at":1812823200000,"price_list":"regular","refund_policy":"standard","format":null,"audio":null,"subtitles":null,"hold":600000,"max_seats":8,"sales_open":null,"web_closes":0,"late_payment":"reclaim","entry_opens":-1800000,"entry_closes":null,"cancelled":false,"refunds":null}',0,0);
INSERT INTO "shows" VALUES(2,'free','everest','everest-1','night-train',1812809700000,'2027-06-12','small',1,0,'{"id":"free","movie":"night-train","screen":"everest-1","starts_at":1812809700000,"price_list":"free","refund_policy":"standard","format":null,"audio":null,"subtitles":null,"hold":600000,"max_seats":10,"sales_open":null,"web_closes":0,"late_payment":"reclaim","entry_opens":-1800000,"entry_closes":null,"cancelled":false,"refunds":null}',0,0);
INSERT INTO "shows" VALUES(3,'dinar','everest','everest-1','night-train',1812825000000,'2027-06-12','small',1,0,'{"id":"dinar","movie":"night-train","screen":"everest-1","starts_at":1812825000000,"price_list":"dinar","refund_policy":"standard","format":null,"audio":null,"subtitles":null,"hold":600000,"max_seats":10,"sales_open":null,"web_closes":0,"late_payment":"reclaim","entry_opens":-1800000,"entry_closes":null,"cancelled":false,"refunds":null}',0,0);
CREATE TABLE tickets (
    booking BLOB NOT NULL REFERENCES bookings (id),
    no INTEGER NOT NULL,
    seat_no INTEGER NOT NULL,
    label TEXT NOT NULL,
    ticket_type TEXT NOT NULL,
    status TEXT NOT NULL,
    void_reason TEXT,
    serial INTEGER NOT NULL, holder TEXT, scans TEXT,
    PRIMARY KEY (booking, no)
) STRICT, WITHOUT ROWID;
INSERT INTO "tickets" VALUES(X'0000000101A60A621900339F183DD1B3',1,0,'A1','standard','void','refunded',1,NULL,NULL);
INSERT INTO "tickets" VALUES(X'0000000101A60A621900339F183DD1B3',2,1,'A2','standard','valid',NULL,1,NULL,NULL);
INSERT INTO "tickets" VALUES(X'0000000101A60A6219004448B58ED1AD',1,66,'F7','standard','valid',NULL,1,NULL,NULL);
INSERT INTO "tickets" VALUES(X'0000000101A60A6219004448B58ED1AD',2,67,'F8','standard','valid',NULL,1,NULL,NULL);
INSERT INTO "tickets" VALUES(X'0000000101A60A621900FFEFEA655504',1,12,'B1','standard','void','cancelled',1,NULL,NULL);
INSERT INTO "tickets" VALUES(X'0000000201A60A621900D31100A6373C',1,0,'A1','standard','valid',NULL,1,NULL,NULL);
INSERT INTO "tickets" VALUES(X'0000000301A60A62190040F295977E17',1,2,'A3','standard','void','cancelled',1,NULL,NULL);
INSERT INTO "tickets" VALUES(X'0000000301A60A621900A591BE4780B1',1,0,'A1','standard','valid',NULL,1,NULL,NULL);
INSERT INTO "tickets" VALUES(X'0000000301A60A621900A591BE4780B1',2,1,'A2','standard','valid',NULL,1,NULL,NULL);
CREATE TABLE unanswered (
    booking BLOB NOT NULL,
    no INTEGER NOT NULL,
    PRIMARY KEY (booking, no),
    FOREIGN KEY (booking, no) REFERENCES payments (booking, no)
) STRICT, WITHOUT ROWID;
CREATE INDEX shows_by_start ON shows (starts_at_ms, id);
CREATE INDEX shows_by_screen ON shows (screen, starts_at_ms);
CREATE INDEX bookings_by_reference ON bookings (reference);
CREATE INDEX bookings_due ON bookings (due_at_ms) WHERE due_at_ms IS NOT NULL;
CREATE INDEX shows_to_follow ON shows (no) WHERE changes > followed;
CREATE INDEX bookings_by_email ON bookings (customer_email COLLATE NOCASE) WHERE customer_email IS NOT NULL;
CREATE INDEX notices_by_status ON notices (status, booking, no);
CREATE INDEX notices_due ON notices (next_try_at_ms, booking, no) WHERE next_try_at_ms IS NOT NULL;
CREATE INDEX promo_uses_by_booking ON promo_uses (booking);
CREATE INDEX ledger_by_time ON ledger (at_ms);
CREATE TRIGGER ledger_is_not_changed BEFORE UPDATE ON ledger
    BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
CREATE TRIGGER ledger_is_not_deleted BEFORE DELETE ON ledger
    BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
CREATE UNIQUE INDEX payments_by_provider ON payments (gateway, payment_id)
    WHERE payment_id IS NOT NULL AND moved_from IS NULL;
CREATE INDEX actions_by_booking ON actions (booking) WHERE booking IS NOT NULL;
CREATE TRIGGER actions_are_not_changed BEFORE UPDATE ON actions
    BEGIN SELECT RAISE(ABORT, 'the staff log is only added to'); END;
CREATE TRIGGER actions_are_not_deleted BEFORE DELETE ON actions
    BEGIN SELECT RAISE(ABORT, 'the staff log is only added to'); END;
CREATE INDEX bookings_of_persons ON bookings (id)
    WHERE customer_name IS NOT NULL OR customer_email IS NOT NULL OR customer_phone IS NOT NULL;
CREATE INDEX refunds_open ON refunds (requested_at_ms) WHERE status <> 'succeeded';
COMMIT;
