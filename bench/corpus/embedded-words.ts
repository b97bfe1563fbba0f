/** Stand-ins for the catalog's texts where `data/objects` is missing. */
export const embeddedWords = {
  en: `introduction course learn programming data science machine learning management project health safety language design
analysis statistics python web development security network cloud software engineering marketing finance accounting leadership
communication writing speaking english french spanish german history art music physics chemistry biology mathematics algebra
calculus geometry probability research methods teaching education children school university student teacher beginner advanced
practical guide basics fundamentals essentials mastering building creating understanding exploring modern digital business
strategy innovation economics psychology sociology philosophy ethics law policy government environment climate energy water
agriculture food nutrition cooking medicine nursing patient care first aid emergency prevention risk quality control production
logistics supply chain transport construction welding electricity plumbing carpentry mechanics robotics automation sensors
electronics circuits signal processing image video photography animation drawing painting sculpture theatre dance film games
mobile application interface experience testing agile scrum devops database query model visualization spreadsheet presentation
document email negotiation sales customer service retail hospitality tourism travel culture society population migration
inequality development sustainability recycling architecture urban planning housing insurance banking investment trading risk
audit compliance privacy encryption blockchain algorithm structure graph tree search optimization simulation neural deep
reinforcement vision text speech translation grammar vocabulary pronunciation reading listening exam preparation certificate
career interview resume job skills training workshop tutorial lecture exercise solution example theory concept principle
practice lesson module unit chapter book video podcast article explains shows covers introduces teaches helps gives presents
provides learners people team working small large simple complex new open free online short complete`.split(/\s+/),
  fr: `introduction cours apprendre programmation données science apprentissage automatique gestion projet santé sécurité langue
conception analyse statistiques développement réseau logiciel ingénierie commerce finance comptabilité communication écriture
anglais français espagnol allemand histoire art musique physique chimie biologie mathématiques algèbre calcul géométrie
probabilités recherche méthodes enseignement éducation enfants école université étudiant enseignant débutant avancé pratique
guide bases fondamentaux maîtriser construire créer comprendre explorer moderne numérique entreprise stratégie économie
psychologie sociologie philosophie éthique droit politique environnement climat énergie eau agriculture alimentation nutrition
cuisine médecine infirmière patient soins premiers secours urgence prévention risques qualité contrôle production logistique
transport bâtiment soudure électricité plomberie menuiserie mécanique robotique capteurs électronique circuits signal image
vidéo photographie animation dessin peinture théâtre danse cinéma jeux application interface utilisateur essais base modèle
visualisation tableur présentation document négociation vente client service accueil tourisme voyage culture société population
inégalités durabilité recyclage architecture urbanisme logement assurance banque investissement conformité chiffrement
algorithme structure graphe arbre optimisation simulation profond vision texte parole traduction grammaire vocabulaire
prononciation lecture écoute examen préparation certificat carrière entretien emploi compétences formation atelier tutoriel
exercice solution exemple théorie concept principe leçon module unité chapitre livre balado article explique montre aborde
présente propose aide donne apprenants personnes équipe travail petit grand simple complexe nouveau ouvert gratuit court
complet`.split(/\s+/),
} as const;
