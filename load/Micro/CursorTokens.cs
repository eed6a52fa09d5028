using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using BenchmarkDotNet.Attributes;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.WebUtilities;
using Microsoft.Extensions.Options;

namespace ApexShop.Micro;

/// <summary>A cursor as a signed token, and its query.</summary>
[MemoryDiagnoser]
public class CursorTokens
{
    private const string Query = "categoryId=7&minPrice=10&sort=price";

    private readonly Cursors cursors = new(Options.Create(new ReadingOptions { CursorKey = new string('A', 44) }));
    private readonly ListQuery list = ListOf();
    private readonly Cursor place = new(1, new KeysetPosition(129.90m, 17));
    private string token = "";

    [GlobalSetup]
    public void Write() => token = cursors.Write(list, place);

    [Benchmark(Baseline = true)]
    public string Encode() => cursors.Write(list, place);

    [Benchmark]
    public bool DecodeAndVerify() => cursors.Read(list, token) is not null;

    [Benchmark]
    public bool UnderstandTheQuestion() => ListOf().IsIndexScan;

    private static ListQuery ListOf() => ListQuery.From(
        ReadModel.All[0], new QueryParameters(new QueryCollection(QueryHelpers.ParseQuery(Query))));
}
