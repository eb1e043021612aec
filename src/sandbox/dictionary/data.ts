/** Country codes with their calling codes. The ID of a country is its position in this list. */
export const countryData = `
US1 AD376 AE971 AF93 AG1 AI1 AL355 AM374 AO244 AR54 AS1 AT43 AU61 AW297 AX358 AZ994 BA387 BB1 BD880 BE32 BF226
BG359 BH973 BI257 BJ229 BL590 BM1 BN673 BO591 BQ599 BR55 BS1 BT975 BW267 BY375 BZ501 CA1 CC61 CD243 CF236
CG242 CH41 CI225 CK682 CL56 CM237 CN86 CO57 CR506 CU53 CV238 CW599 CX61 CY357 CZ420 DE49 DJ253 DK45 DM1 DO1
DZ213 EC593 EE372 EG20 EH212 ER291 ES34 ET251 FI358 FJ679 FK500 FM691 FO298 FR33 GA241 GB44 GD1 GE995 GF594
GG44 GH233 GI350 GL299 GM220 GN224 GP590 GQ240 GR30 GT502 GU1 GW245 GY592 HK852 HN504 HR385 HT509 HU36 ID62
IE353 IL972 IM44 IN91 IO246 IQ964 IR98 IS354 IT39 JE44 JM1 JO962 JP81 KE254 KG996 KH855 KI686 KM269 KN1 KP850
KR82 KW965 KY1 KZ7 LA856 LB961 LC1 LI423 LK94 LR231 LS266 LT370 LU352 LV371 LY218 MA212 MC377 MD373 ME382
MF590 MG261 MH692 MK389 ML223 MM95 MN976 MO853 MP1 MQ596 MR222 MS1 MT356 MU230 MV960 MW265 MX52 MY60 MZ258
NA264 NC687 NE227 NF672 NG234 NI505 NL31 NO47 NP977 NR674 NU683 NZ64 OM968 PA507 PE51 PF689 PG675 PH63 PK92
PL48 PM508 PR1 PS970 PT351 PW680 PY595 QA974 RE262 RO40 RS381 RU7 RW250 SA966 SB677 SC248 SD249 SE46 SG65
SH290 SI386 SJ47 SK421 SL232 SM378 SN221 SO252 SR597 SS211 ST239 SV503 SX1 SY963 SZ268 TC1 TD235 TG228 TH66
TJ992 TK690 TL670 TM993 TN216 TO676 TR90 TT1 TV688 TW886 TZ255 UA380 UG256 UY598 UZ998 VA39 VC1 VE58 VG1 VI1
VN84 VU678 WF681 WS685 XK383 YE967 YT262 ZA27 ZM260 ZW263
`
  .trim()
  .split(/\s+/)
  .map((text) => ({ isoCode: text.slice(0, 2), callingCode: text.slice(2) }));

/** States and provinces: code and name, by country. */
export const stateData: Readonly<Record<string, string>> = {
  US: `
    AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,DC
    District of Columbia,FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,KY
    Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,MO
    Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,NC
    North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,RI Rhode Island,SC South
    Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,WV West
    Virginia,WI Wisconsin,WY Wyoming`,
  CA: `
    AB Alberta,BC British Columbia,MB Manitoba,NB New Brunswick,NL Newfoundland and Labrador,NS Nova
    Scotia,NT Northwest Territories,NU Nunavut,ON Ontario,PE Prince Edward Island,QC Quebec,SK
    Saskatchewan,YT Yukon`,
};

/** Cities with an area code, by the code of their state. */
export const locationData = `
  CA:San Francisco 415,CA:Belmont 650,CA:San Jose 408,CA:Los Angeles 213,CA:San Diego 619,CA:Sacramento
  916,CA:Oakland 510,NY:New York 212,NY:Buffalo 716,TX:Houston 713,TX:Dallas 214,TX:Austin 512,IL:Chicago
  312,WA:Seattle 206,OR:Portland 503,CO:Denver 303,AZ:Phoenix 602,NV:Las Vegas 702,MA:Boston
  617,PA:Philadelphia 215,FL:Miami 305,FL:Orlando 407,GA:Atlanta 404,MI:Detroit 313,MN:Minneapolis
  612,MO:St. Louis 314,TN:Nashville 615,NC:Charlotte 704,OH:Columbus 614,DC:Washington 202,ON:Toronto
  416,QC:Montreal 514,BC:Vancouver 604,AB:Calgary 403`;

/** Time zones and their minutes from UTC in winter. */
export const timezoneData = `
  Pacific/Honolulu -600,America/Anchorage -540,America/Los_Angeles -480,America/Phoenix -420,America/Denver
  -420,America/Chicago -360,America/Mexico_City -360,America/New_York -300,America/Bogota
  -300,America/Halifax -240,America/St_Johns -210,America/Sao_Paulo -180,Atlantic/Azores -60,UTC
  0,Europe/London 0,Europe/Lisbon 0,Europe/Berlin 60,Europe/Paris 60,Europe/Madrid 60,Europe/Rome
  60,Europe/Athens 120,Africa/Johannesburg 120,Europe/Istanbul 180,Asia/Dubai 240,Asia/Karachi
  300,Asia/Kolkata 330,Asia/Dhaka 360,Asia/Bangkok 420,Asia/Shanghai 480,Asia/Singapore 480,Asia/Manila
  480,Australia/Perth 480,Asia/Tokyo 540,Asia/Seoul 540,Australia/Adelaide 570,Australia/Sydney
  600,Pacific/Auckland 720`;
