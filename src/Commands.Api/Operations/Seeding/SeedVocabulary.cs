using Bogus;

namespace ApexShop.Commands.Api.Operations.Seeding;

/// <summary>
/// The words of the generated data, taken from Bogus once: a row then needs a few array reads, while calling Bogus for
/// each row would take longer than the database.
/// </summary>
internal sealed class SeedVocabulary
{
    private const int Seed = 20_261_120;

    private SeedVocabulary()
    {
        var english = FakerOf("en");
        Categories = Distinct(15, () => english.Commerce.Categories(1)[0]);
        Adjectives = Distinct(15, english.Commerce.ProductAdjective);
        Materials = Distinct(10, english.Commerce.ProductMaterial);
        Things = Distinct(20, english.Commerce.Product);
        Descriptions = Distinct(10, english.Commerce.ProductDescription);
        Comments = Distinct(60, () => english.Rant.Review("product"));
        People = [.. ((string[])["en", "de", "fr", "cz", "pl"]).Select(locale => new Locale(FakerOf(locale)))];
    }

    public static SeedVocabulary Shared => field ??= new SeedVocabulary();

    public string[] Categories { get; }
    public string[] Adjectives { get; }
    public string[] Materials { get; }
    public string[] Things { get; }
    public string[] Descriptions { get; }
    public string[] Comments { get; }

    /// <summary>Names and addresses by country, so that a user has those of one country.</summary>
    public Locale[] People { get; }

    // With its own randomizer, because the static seed of Bogus is shared by the whole process.
    private static Faker FakerOf(string locale) => new(locale) { Random = new Randomizer(Seed) };

    private static string[] Distinct(int count, Func<string> word)
    {
        var words = new HashSet<string>(count);
        while (words.Count < count) words.Add(word());
        return [.. words];
    }

    internal sealed class Locale
    {
        public Locale(Faker faker)
        {
            FirstNames = Names(faker, () => faker.Name.FirstName());
            LastNames = Names(faker, () => faker.Name.LastName());
            Addresses = Distinct(
                60, () => $"{faker.Address.StreetAddress()}, {faker.Address.ZipCode()} {faker.Address.City()}");
        }

        public SeedName[] FirstNames { get; }
        public SeedName[] LastNames { get; }
        public string[] Addresses { get; }

        private static SeedName[] Names(Faker faker, Func<string> name) =>
            [.. Distinct(60, name).Select(text => new SeedName(text, Ascii(faker, text)))];

        // A user name of Bogus has no accents, but may have digits.
        private static string Ascii(Faker faker, string name)
        {
            var letters = faker.Internet.UserName(name, "").Where(char.IsAsciiLetter).ToArray();
            return letters.Length == 0 ? "shopper" : new string(letters).ToLowerInvariant();
        }
    }
}

/// <summary>A name, and its form in an e-mail address.</summary>
internal sealed record SeedName(string Text, string Ascii);
