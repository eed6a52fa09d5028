namespace ApexShop.Commands.Api.Reviews;

internal static class ReviewRegistration
{
    public static void AddReviews(this IServiceCollection services)
    {
        services.AddSingleton(ReviewTable.UnknownProduct);
        services.AddSingleton(ReviewTable.UnknownUser);
        services.AddSingleton(ReviewTable.Exists);
        services.AddScoped<ReviewChecks>();
        services.AddScoped<ReviewDeletion>();
    }
}
