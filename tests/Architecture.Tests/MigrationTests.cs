using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests;

/// <summary>Migrations that may run while processes of the previous release still serve requests.</summary>
public sealed class MigrationTests
{
    // The migrations of the first release ran without other processes.
    private const string FirstRelease = "20261120100000";
    private const int FirstReadSchema = 3;

    private static readonly string[] folders =
        ["src/Commands.Api/Persistence/Migrations", "src/Projector/Documents/Schema"];

    [Fact]
    public void There_are_migrations() => All().Count().ShouldBeGreaterThan(5);

    [Fact]
    public void A_migration_only_adds_or_is_marked_as_contracting() =>
        MigrationRules.Found(All().Where(IsLater)).ShouldBeEmpty();

    [Theory]
    [InlineData("ALTER TABLE read.products DROP COLUMN stock;")]
    [InlineData("ALTER TABLE read.products RENAME TO goods;")]
    [InlineData("ALTER TABLE read.products RENAME COLUMN stock TO amount;")]
    [InlineData("ALTER TABLE read.products ALTER COLUMN stock TYPE text;")]
    [InlineData("ALTER TABLE read.products ALTER stock TYPE text;")]
    [InlineData("ALTER TABLE read.products ALTER COLUMN stock\n    SET NOT NULL;")]
    [InlineData("ALTER TABLE read.products ADD COLUMN colour text NOT NULL;")]
    [InlineData("DROP TABLE read.products;")]
    [InlineData("ALTER TABLE read.products ADD CONSTRAINT products_stock_check CHECK (stock >= 0) NOT VALID;")]
    [InlineData("ALTER TABLE read.products ADD CHECK (stock >= 0);")]
    public void A_change_that_breaks_the_previous_release_is_found(string sql)
    {
        MigrationRules.Found([new SourceFile("010_x.sql", sql)]).ShouldHaveSingleItem();
        MigrationRules.Found([new SourceFile("010_x.sql", $"-- {MigrationRules.Mark} unused since release 2\n{sql}")])
            .ShouldBeEmpty();
    }

    [Theory]
    [InlineData("ALTER TABLE read.products ADD COLUMN colour text;")]
    [InlineData("ALTER TABLE read.products ADD COLUMN colour text NOT NULL DEFAULT '';")]
    [InlineData("ALTER TABLE read.products ADD COLUMN colour text DEFAULT '' NOT NULL;")]
    [InlineData("CREATE TABLE read.colours (id integer NOT NULL); CREATE INDEX ON read.colours (id); DROP INDEX "
        + "read.old_idx;")]
    public void An_addition_is_not_found(string sql) =>
        MigrationRules.Found([new SourceFile("010_x.sql", sql)]).ShouldBeEmpty();

    [Theory]
    [InlineData("const string Sql = \"ALTER TABLE shop.products DROP COLUMN stock;\";", "DROP COLUMN")]
    [InlineData("static string Sql => \"ALTER TABLE shop.products ADD CONSTRAINT x CHECK (a > 0)\";", "ADD CONSTRAINT")]
    [InlineData("void Up(MigrationBuilder builder) => builder.AddCheckConstraint();", "AddCheckConstraint")]
    public void It_is_found_anywhere_in_the_class_of_a_migration(string member, string found) =>
        MigrationRules.Found([new SourceFile("x.cs", $"class X {{ {member} }}")]).ShouldBe([$"x.cs: {found}"]);

    [Fact]
    public void The_Down_method_of_a_migration_is_ignored()
    {
        const string step = "builder.DropColumn(name: \"colour\", table: \"products\");";
        static SourceFile Migration(string up, string down) => new(
            "x.cs",
            "class X "
            + $"{{ void Up(MigrationBuilder builder) {{ {up} }} void Down(MigrationBuilder builder) {{ {down} }} }}");

        MigrationRules.Found([Migration("", step)]).ShouldBeEmpty();
        MigrationRules.Found([Migration(step, "")]).ShouldBe(["x.cs: DropColumn"]);
    }

    private static IEnumerable<SourceFile> All() => folders
        .SelectMany(folder => Directory.EnumerateFiles(Path.Combine(Repository.Root, folder)))
        .Where(
            file => char.IsDigit(Path.GetFileName(file)[0]) && !file.EndsWith(".Designer.cs", StringComparison.Ordinal))
        .Order(StringComparer.Ordinal)
        .Select(file => new SourceFile(Path.GetFileName(file), File.ReadAllText(file)));

    private static bool IsLater(SourceFile file) => file.Name.EndsWith(".sql", StringComparison.Ordinal)
        ? int.Parse(file.Name.AsSpan(0, 3), System.Globalization.CultureInfo.InvariantCulture) > FirstReadSchema
        : string.CompareOrdinal(file.Name[..FirstRelease.Length], FirstRelease) > 0;
}
