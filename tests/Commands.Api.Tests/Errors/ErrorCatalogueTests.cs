using System.Text.RegularExpressions;
using ApexShop.Errors;
using ApexShop.Resources;
using ApexShop.TestKit;

namespace ApexShop.Commands.Api.Tests.Errors;

public sealed partial class ErrorCatalogueTests
{
    private const string Header = "| code | status | when |";

    // Names of tables, columns, sequences, files, metrics and tags of spans look the same.
    private static readonly string[] others = ["shop.", "page.id", "read.", "index.", "u.", "apexshop.", "messaging."];

    [Theory]
    [InlineData("Both APIs")]
    [InlineData("Commands")]
    [InlineData("Projector")]
    [InlineData("Queries")]
    public void The_docs_have_the_catalogue(string section)
    {
        var codes = section switch
        {
            "Commands" => ErrorCatalogue.Commands,
            "Projector" => ErrorCatalogue.Projector,
            "Queries" => ErrorCatalogue.Queries,
            _ => ErrorCatalogue.Both,
        };

        DocTable.ShouldBe(
            "errors.md", Header, [.. codes.Select(code => $"| {code.Code} | {code.Status} | {code.When} |")],
            $"## {section}");
    }

    [Fact]
    public void A_code_stands_in_the_catalogue_once()
    {
        var all = ErrorCatalogue.Both.Concat(ErrorCatalogue.Commands)
            .Concat(ErrorCatalogue.Projector)
            .Concat(ErrorCatalogue.Queries)
            .Select(code => code.Code)
            .ToList();

        all.Count.ShouldBe(all.Distinct().Count());
        all.ShouldAllBe(code => Code().IsMatch($"\"{code}\"") || code == "internal");
    }

    [Fact]
    public void Commands_uses_the_codes_of_the_catalogue_and_all_of_them() =>
        CodesIn("src/Commands.Api", "src/Shared/Errors/ProblemText.cs")
        .ShouldBe(ErrorCatalogue.Both.Concat(ErrorCatalogue.Commands).Select(code => code.Code), ignoreOrder: true);

    [Fact]
    public void The_projector_uses_the_codes_of_the_catalogue_and_all_of_its_own()
    {
        var used = CodesIn("src/Projector");

        // Commands.Api hands them on, so they may be among its own.
        var known = ErrorCatalogue.Both.Concat(ErrorCatalogue.Commands).Concat(ErrorCatalogue.Projector);
        used.Except(known.Select(code => code.Code)).ShouldBeEmpty();
        ErrorCatalogue.Projector.Select(code => code.Code).Except(used).ShouldBeEmpty();
    }

    [Fact]
    public void Queries_uses_the_codes_of_the_catalogue_and_all_of_its_own()
    {
        var used = CodesIn("src/Queries.Api");

        used.Except(ErrorCatalogue.Both.Concat(ErrorCatalogue.Queries).Select(code => code.Code)).ShouldBeEmpty();
        ErrorCatalogue.Queries.Select(code => code.Code).Except(used).ShouldBeEmpty();
    }

    [Fact]
    public void What_the_pipeline_refuses_by_status_has_that_status_in_the_catalogue()
    {
        foreach (var status in (int[])[400, 401, 403, 404, 405, 408, 413, 415, 429, 500, 503])
        {
            ErrorCatalogue.Both.Concat(ErrorCatalogue.Commands)
                .Single(code => code.Code == ProblemText.Of(status).Code).Status.ShouldBe(status);
        }
    }

    [Fact]
    public void A_code_that_is_not_in_the_catalogue_is_found() =>
        CodesOf("""new Problem(409, "made.up_code", $"x {name}"); From("shop.products"); Log($"{id}.not_found");""")
            .ShouldBe(
                ["made.up_code", .. Resource.All.Select(resource => $"{resource.Singular}.not_found")]);

    private static List<string> CodesIn(params string[] paths)
    {
        var sources = paths.Select(path => Path.Combine(Repository.Root, path))
            .SelectMany(
                path => File.Exists(path)
                    ? [path]
                    : Directory.EnumerateFiles(path, "*.cs", SearchOption.AllDirectories))
            .Where(
                file => !file.Contains("/obj/", StringComparison.Ordinal)
                    && !file.Contains("/Migrations/", StringComparison.Ordinal))
            .ToList();
        sources.ShouldNotBeEmpty();
        return [.. sources.SelectMany(file => CodesOf(File.ReadAllText(file))).Distinct()];
    }

    private static IEnumerable<string> CodesOf(string source)
    {
        foreach (Match match in Code().Matches(source))
        {
            if (!others.Any(other => match.Groups[1].Value.StartsWith(other, StringComparison.Ordinal)))
                yield return match.Groups[1].Value;
        }

        // Written once for all resources.
        if (!NotFound().IsMatch(source)) yield break;
        foreach (var resource in Resource.All) yield return $"{resource.Singular}.not_found";
    }

    [GeneratedRegex("""(?<!\$)"([a-z][a-z_]*\.(?!json")[a-z_]+|internal)"(?!:)""")]
    private static partial Regex Code();

    [GeneratedRegex("""\$"\{\w+\}\.not_found""")]
    private static partial Regex NotFound();
}
