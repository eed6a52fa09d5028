namespace ApexShop.Commands.Api.Events.AsyncApi;

internal static class AsyncApiRegistration
{
    public static void AddAsyncApi(this IServiceCollection services) => services.AddSingleton<AsyncApiDocument>();
}
